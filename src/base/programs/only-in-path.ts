/**
 * Variables with which cmd.exe looks for programs only in `PATH`, and not in the current directory, where anybody may
 * have put one. For commands from settings, which run in any directory.
 */
export const ONLY_IN_PATH = { NoDefaultCurrentDirectoryInExePath: '1' }
