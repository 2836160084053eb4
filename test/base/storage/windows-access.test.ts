import { describe, expect, test } from 'vitest'
import { parseOthers } from '../../../src/base/storage/windows-access.ts'

/** A security identifier. See https://learn.microsoft.com/windows/win32/secauthz/sid-components for the format. */
const USER = 'S-1-5-21-1004336348-1177238915-682003330-1001'
const OTHER = 'S-1-5-21-1004336348-1177238915-682003330-1002'

/**
 * Returns the output of `icacls NAME /save`: the file name and its permissions in SDDL. The format is an assumption
 * from the documentation. It has not been compared with the output of icacls on Windows.
 *
 * See https://learn.microsoft.com/windows-server/administration/windows-commands/icacls and
 * https://learn.microsoft.com/windows/win32/secauthz/security-descriptor-string-format.
 */
const saved = (permissions: string) => `\uFEFFprofiles.json\r\n${permissions}\r\n`

describe('parseOthers', () => {
  test.each([
    ['a file in the profile of a user', `D:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;FA;;;${USER})`],
    ['a directory that partner has created', `D:PAI(A;OICI;FA;;;${USER})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`],
    ['access for whoever owns a new file', `D:(A;OICIIO;GA;;;CO)(A;;FA;;;OW)(A;;FA;;;${USER})`],
    ['the built-in administrator', 'D:P(A;;FA;;;LA)(A;;FA;;;S-1-5-18)(A;;FA;;;S-1-5-32-544)'],
    ['access for nobody', 'D:P'],
    ['an account that is denied access', `D:P(D;;FA;;;WD)(A;;FA;;;${USER})`],
  ])('parseOthers returns no accounts for %s', (_what, permissions) =>
    expect(parseOthers(saved(permissions), USER)).toEqual([]),
  )

  test.each([
    // The permissions of a directory in C:\ProgramData.
    [
      'D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIIOID;GA;;;CO)(A;OICIID;0x1200a9;;;BU)(A;CIID;DCLCRPCR;;;BU)',
      ['Users'],
    ],
    // The permissions of a directory in the root of a drive.
    [
      'D:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1301bf;;;AU)(A;OICIID;0x1200a9;;;BU)',
      ['Authenticated Users', 'Users'],
    ],
    [`D:(A;;FA;;;${USER})(A;;FR;;;WD)(A;;FR;;;${OTHER})`, ['Everyone', OTHER]],
    ['D:(OA;;FR;;;BG)', ['Guests']],
    ['D:NO_ACCESS_CONTROL', ['Everyone']],
    ['D:PAI(A;;FA;;;SY)(A;;FR;;;BU)S:AI(AU;SAFA;FA;;;WD)', null],
  ])('parseOthers finds the other accounts in %s', (permissions, others) =>
    expect(parseOthers(saved(permissions), USER)).toEqual(others),
  )

  test.each([
    ['nothing', ''],
    ['only the name', 'profiles.json\r\n'],
    ['text in another language', 'Zugriff verweigert\r\n'],
    ['half of an entry', saved(`D:P(A;;FA;;;SY)(A;;FA;;`)],
    ['an entry without an account', saved('D:P(A;;FA;;;)')],
    ['a condition', saved('D:P(XA;;FX;;;WD;(@User.Title=="PM"))')],
  ])('parseOthers returns null if icacls writes %s', (_what, text) => expect(parseOthers(text, USER)).toBeNull())
})
