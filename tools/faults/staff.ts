// Planted faults in the roles of staff, their passkeys, and the second factor.
import type { Fault } from './fault.ts'

const tests = ['server/modules/administration/roles.test.ts']
const roles = 'server/modules/administration/roles.ts'

export const staffFaults: readonly Fault[] = [
  {
    name: 'every role of staff reaches every area',
    file: 'contract/administration/areas.ts',
    find: "role !== 'member' && areasOf[role].includes(area)",
    replace: "role !== 'member' && areasOf[role].length > 0",
    tests,
    caughtBy: 'is of an area that its roles reach',
  },
  {
    name: 'an endpoint of staff is open to every role',
    file: 'server/http/viewer.ts',
    find: '  if (!mayUse(viewer.role, area))',
    replace: "  if (!mayUse(viewer.role, area === 'money' ? 'desk' : area))",
    tests,
    caughtBy: 'each endpoint of staff',
  },
  {
    name: 'a role is given without a validation',
    file: 'server/modules/administration/staff-routes.ts',
    find: '    validatedOf(viewer, clock())\n',
    replace: '    void [validatedOf, clock]\n',
    tests,
    caughtBy: 'requires a validation of the last ten minutes',
  },
  {
    name: 'the role of the caller is not read again under the lock',
    file: roles,
    find: "if (!staff.some((it) => it.id === by && it.role === 'admin' && it.active)) throw",
    replace: 'if (staff.length === 0) throw',
    tests,
    caughtBy: 'also when two admins take each other’s at once',
  },
  {
    name: 'the last admin can lose the role',
    file: roles,
    find: "if (found.role === 'admin' && left.length === 0) throw",
    replace: 'if (left.length < 0) throw',
    tests,
    caughtBy: 'of the last admin who can act is not taken',
  },
  {
    name: 'suspended admins count as admins who are left',
    file: roles,
    find: "it.id !== found.id && it.role === 'admin' && it.active",
    replace: "it.id !== found.id && it.role === 'admin'",
    tests,
    caughtBy: 'of the last admin who can act is not taken',
  },
  {
    name: 'a suspended person is given a role',
    file: roles,
    find: "if (!found || (role !== 'member' && !found.active))",
    replace: 'if (!found)',
    tests,
    caughtBy: 'is not given to a person who does not exist, is suspended or leaving',
  },
]

const codeTests = ['server/modules/second-factor/routes.test.ts']
const required = ['server/modules/administration/passkey-required.test.ts']
const check = 'server/services/auth/second-factor.ts'
const store = 'server/store/accounts/second-factor.ts'

export const totpFaults: readonly Fault[] = [
  {
    name: 'second factor: a code is accepted again',
    file: store,
    find: '        lt(secondFactors.lastStep, step),\n',
    replace: '        lt(secondFactors.lastStep, step + 1),\n',
    tests: codeTests,
    caughtBy: 'accepts a code once',
  },
  {
    name: 'second factor: codes of two steps before are accepted',
    file: 'server/services/auth/totp.ts',
    find: 'const WINDOW = 1',
    replace: 'const WINDOW = 2',
    tests: codeTests,
    caughtBy: 'refuses the code of step',
  },
  {
    name: 'second factor: the step is that of the moment, so that a code is accepted in two steps',
    file: 'server/services/auth/totp.ts',
    find: 'Math.floor(now / STEP_MS) + delta',
    replace: 'Math.floor(now / STEP_MS)',
    tests: ['server/services/auth/totp.test.ts'],
    caughtBy: 'the step is that of the code, not of the moment',
  },
  {
    name: 'second factor: it is required before a code has confirmed it',
    file: check,
    find: 'if (!factor || factor.confirmedAt === null) return false',
    replace: 'if (!factor) return false',
    tests: codeTests,
    caughtBy: 'is on after one right code',
  },
  {
    name: 'second factor: a recovery code is accepted again',
    file: store,
    find: `  const used = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), inArray(recoveryCodes.codeHash, [...codeHashes])))
    .returning({ userId: recoveryCodes.userId })`,
    replace: `  const used = await db
    .select()
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), inArray(recoveryCodes.codeHash, [...codeHashes])))`,
    tests: codeTests,
    caughtBy: 'has recovery codes, each accepted once',
  },
  {
    name: 'second factor: wrong codes of an account are not limited',
    file: check,
    find: '      await failures.spend(attempt)\n',
    replace: '',
    tests: codeTests,
    caughtBy: 'are ten in an hour for one account',
  },
  {
    name: 'second factor: it is required before the password is compared',
    file: 'server/modules/sessions/routes.ts',
    find: "      if (!user || !isRight) throw new ApiError('wrong_credentials')\n",
    replace:
      "      if (user) await codes.prove(request, { userId: user.id, code: body.code })\n      if (!user || !isRight) throw new ApiError('wrong_credentials')\n",
    tests: codeTests,
    caughtBy: 'is required after a right password only',
  },
  {
    name: 'second factor: a validation does not ask for it',
    file: 'server/modules/accounts/validation.ts',
    find: '      await codes.prove(request, { userId: viewer.id, code: body.code, rememberedDevice })\n',
    replace: '      void [codes, rememberedDevice]\n',
    tests: codeTests,
    caughtBy: 'is required at a validation too',
  },
  {
    name: 'passkeys of staff: a session by password reaches the administration',
    file: 'server/http/viewer.ts',
    find: 'if (viewer.passkeyRequired && viewer.passkeyAt === null)',
    replace: 'if (viewer.passkeyRequired && viewer.validatedAt === null)',
    tests: required,
    caughtBy: 'every endpoint of staff refuses a session by password',
  },
  {
    name: 'passkeys of staff: they are required of everyone once a moderator has one',
    file: 'server/store/accounts/sessions.ts',
    find: "where a.role = 'admin' and a.deleted_at is null",
    replace: "where a.role <> 'member' and a.deleted_at is null",
    tests: required,
    caughtBy: 'a moderator and a member have one',
  },
  {
    name: 'passkeys of staff: a password alone adds another one',
    file: 'server/modules/passkeys/routes.ts',
    find: "    if ((await countPasskeys(db, viewer.id)) > 0) throw new ApiError('passkey_required')\n",
    replace: '    await countPasskeys(db, viewer.id)\n',
    tests: required,
    caughtBy: 'a password alone neither adds a second passkey',
  },
]
