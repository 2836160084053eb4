/**
 * Environment variables that stop cmd.exe from searching the current directory for programs, because another user might
 * have placed one there. Used for commands from settings, which can run in any directory.
 */
export const ONLY_IN_PATH = { NoDefaultCurrentDirectoryInExePath: '1' }
