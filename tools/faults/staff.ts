// Planted faults in the roles of staff.
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
