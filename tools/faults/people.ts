// Planted faults in the people of the administration, recoveries and exports for an authority.
import type { Fault } from './fault.ts'

const tests = ['server/modules/administration/people.test.ts']
const recovery = ['server/modules/administration/recovery.test.ts']
const authority = ['server/modules/exports/authority.test.ts']
const acts = 'server/modules/administration/person-acts.ts'
const store = 'server/store/accounts/recoveries.ts'

const pace = ['server/modules/moderation/pace.test.ts']

export const peopleFaults: readonly Fault[] = [
  {
    name: 'people of staff: every role sees every part of a person',
    file: 'server/modules/administration/person-page.ts',
    find: 'maySee(viewer.role, name) ? read() : null',
    replace: "maySee('admin', name) ? read() : null",
    tests,
    caughtBy: 'have a page whose parts are those of the role',
  },
  {
    name: 'people of staff: a page shows the whole email address',
    file: 'server/modules/administration/person-page.ts',
    find: "maskedEmail(user?.email ?? '')",
    replace: "[maskedEmail, user?.email ?? ''].at(1) as string",
    tests,
    caughtBy: 'have a page whose parts are those of the role',
  },
  {
    name: 'people of staff: moderators act on moderators',
    file: 'contract/administration/person-parts.ts',
    find: 'ranks[by] > ranks[on]',
    replace: 'ranks[by] >= ranks[on]',
    tests,
    caughtBy: 'is refused on oneself and on equal and higher roles',
  },
  {
    name: 'people of staff: the role of the caller is not read again under the lock',
    file: acts,
    find: "!caller?.active || !mayUse(caller.role, 'people') || !subject",
    replace: "!caller || !mayUse('admin', 'people') || !subject",
    tests,
    caughtBy: 'lost the role since the request began',
  },
  {
    name: 'people of staff: an act needs no validation',
    file: 'server/modules/administration/people-routes.ts',
    find: '    validatedOf(viewer, deps.clock())\n    return { by: viewer.id',
    replace: '    return { by: viewer.id',
    tests,
    caughtBy: 'requires a validation and a listed reason',
  },
  {
    name: 'people of staff: opening a person is not audited',
    file: 'server/modules/administration/people-routes.ts',
    find: '    await audit({ ...entry, subjectId: page.id, ip: request.ip })\n',
    replace: '    void [entry, request]\n',
    tests: ['server/audited.test.ts'],
    caughtBy: 'that reads a list or a person',
  },
  {
    name: 'recovery of staff: passkeys are removed when the link is used',
    file: 'server/modules/administration/recovery.ts',
    find: 'dueAt: new Date(due), now }',
    replace: 'dueAt: new Date(now), now }',
    tests: recovery,
    caughtBy: 'removes passkeys and second factor a day later',
  },
  {
    name: 'recovery of staff: the link is valid twice',
    file: store,
    find: '        isNull(accountRecoveries.confirmedAt),\n',
    replace: '',
    tests: recovery,
    caughtBy: 'has a link that is valid once',
  },
  {
    name: 'recovery of staff: a sign-in by a passkey does not stop it',
    file: 'server/services/auth/open-session.ts',
    find: "if (provenTwice || method === 'passkey') await",
    replace: 'if (provenTwice) await',
    tests: recovery,
    caughtBy: 'is stopped when the person signs in by a passkey',
  },
  {
    name: 'export for an authority: another admin downloads it',
    file: 'server/store/accounts/authority-exports.ts',
    find: 'where(and(eq(id, exportId), eq(madeBy, admin), isUsable))',
    replace: 'where(and(eq(id, exportId), isUsable, admin === exportId ? eq(madeBy, admin) : undefined))',
    tests: authority,
    caughtBy: 'is downloaded by the admin who requested it alone',
  },
  {
    name: 'export for an authority: it has the whole life of the account',
    file: 'server/modules/exports/authority-entries.ts',
    find: 'new Date(at) >= from && new Date(at) < to',
    replace: 'new Date(at) >= from || new Date(at) < to',
    tests: authority,
    caughtBy: 'has what the person wrote within the days',
  },
  {
    name: 'a limit of new accounts lets one more through',
    file: 'server/services/holds/pace.ts',
    find: 'if (current <= most) continue',
    replace: 'if (current <= most + 1) continue',
    tests: pace,
    caughtBy: 'comments so often',
  },
  {
    name: 'refused tries use up the day of a new account',
    file: 'server/services/holds/pace.ts',
    find: 'for (const it of spent) await counts.subtract(it)',
    replace: 'for (const it of spent) await counts.add(it, DAY)',
    tests: pace,
    caughtBy: 'comments so often',
  },
  {
    name: 'other digits make an equal text another one',
    file: 'server/rules/moderation/equal-texts.ts',
    find: ".replace(/\\p{N}/gu, '0')",
    replace: ".replace(/\\p{Cc}/gu, '0')",
    tests: pace,
    caughtBy: 'an equal comment',
  },
  {
    name: 'a link of a followed person is held',
    file: 'server/services/holds/pace.ts',
    find: '|| (await isFollowing(tx, to, by))',
    replace: '&& (await isFollowing(tx, to, by))',
    tests: pace,
    caughtBy: 'a link of a new account',
  },
]
