/**
 * Environment variables that stop cmd.exe from running programs in the current directory, where another user might have
 * placed one. Used for commands from settings, which can run in any directory.
 */
export const ONLY_IN_PATH = { NoDefaultCurrentDirectoryInExePath: '1' }
