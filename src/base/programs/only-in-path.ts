/**
 * Environment variables that stop cmd.exe from running programs in the current directory, where anyone may have placed
 * one. Used for commands from settings, because they may run in any directory.
 */
export const ONLY_IN_PATH = { NoDefaultCurrentDirectoryInExePath: '1' }
