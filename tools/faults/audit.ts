// Planted faults in the audit log: its chain, its entries and its pages.
import type { Fault } from './fault.ts'

const rules = ['server/rules/audit/chain.test.ts']
const chain = ['server/modules/administration/audit-chain.test.ts']
const pages = ['server/modules/administration/audit.test.ts']

export const auditFaults: readonly Fault[] = [
  {
    name: 'the hash of an audit entry does not cover its address',
    file: 'server/rules/audit/chain.ts',
    find: '    ip,\n    sorted(detail),',
    replace: '    sorted(detail),',
    tests: rules,
    caughtBy: 'finds an entry with another',
  },
  {
    name: 'the hash of an audit entry does not cover the one before it',
    file: 'server/rules/audit/chain.ts',
    find: '    FORM,\n    previous,',
    replace: '    FORM,',
    tests: rules,
    caughtBy: 'is a JSON array in a fixed order, with the hash before it',
  },
  {
    name: 'audit entries are added without the lock of the chain',
    file: 'server/services/transaction/audit.ts',
    find: '      await lockChain(tx)\n',
    replace: '',
    tests: chain,
    caughtBy: 'has no gap after 20 transactions at once',
  },
  {
    name: 'the verification does not look for audit entries without a place',
    file: 'server/modules/administration/verify-audit.ts',
    find: 'const unchained = await findUnchained(db)',
    replace: 'const unchained = (await findUnchained(db)) && undefined',
    tests: chain,
    caughtBy: 'shows an entry without a place',
  },
  {
    name: 'an audit entry does not continue from the newest one',
    file: 'server/store/audit/chain.ts',
    find: '  return row && placed(row)\n',
    replace: '  return row && row.seq === -1 ? placed(row) : undefined\n',
    tests: chain,
    caughtBy: 'has no entry of a transaction that was rolled back',
  },
  {
    name: 'each page of the audit log is an opening',
    file: 'server/modules/administration/audit-routes.ts',
    find: '    if (after === undefined) {',
    replace: '    if (after === undefined || after.seq > 0) {',
    tests: pages,
    caughtBy: 'and none of further pages',
  },
  {
    name: 'the audit log is read before the entry of its opening',
    file: 'server/modules/administration/audit-routes.ts',
    find: "    await audit({ actorId: admin.id, act: 'audit.export', ...subject, detail, ip: request.ip })",
    replace:
      "    void audit({ actorId: admin.id, act: 'audit.export', ...subject, detail, ip: request.ip }).catch(() => undefined)",
    tests: pages,
    caughtBy: 'is not shown without the entry of its opening',
  },
]
