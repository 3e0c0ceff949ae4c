// Areas of mutation testing: the files to mutate, and the tests that should notice.
import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'

export interface Area {
  /** Files to mutate. */
  readonly mutate: readonly string[]
  /** Test files that should kill the mutants. */
  readonly tests: readonly string[]
  /**
   * By file: its test files, for a run of this file alone. Each mutant loads the server again, and one that survives runs
   * every test that reaches it: tests that say nothing about the file take most of the time.
   */
  readonly testsOf?: Readonly<Record<string, readonly string[]>>
  /**
   * Whether the tests need a PostgreSQL server. Each test file opens the app before its first test, so that registering
   * routes counts as static; otherwise only a test that opens an app of its own would cover those mutants.
   */
  readonly database?: true
  /** Whether mutants that survive the unit tests also run in `STORIES` seeded stories of each simulation. */
  readonly simulation?: true
}

/** Number of seeded stories per mutant: more find rarer faults, and take longer for each survivor. */
export const STORIES = 30
/** The simulations whose seeded stories judge what the unit tests leave. */
export const simulations = 'sw/sim/{mutations,queue,queue-2}.sim.ts'

const sources = (folder: string) => [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/testing/**`]

/** All areas. Of modules that need a database, only the files with decisions are mutated. */
export const areas: Readonly<Record<string, Area>> = {
  'contract/rules': {
    mutate: ['contract/{rules,posts/price,text/text-rule,text/width,text/mentions,text/fold}.ts'],
    tests: ['contract/{rules,posts/price,text/text-rule,text/mentions,text/fold}.test.ts'],
  },
  'server/rules': { mutate: sources('server/rules'), tests: ['server/rules/**/*.test.ts'] },
  'sw/queue': {
    // `runtime-ports.ts` passes the browser's interfaces to the queue; only browser stories run it.
    mutate: [...sources('sw/queue'), '!sw/queue/runtime-ports.ts'],
    tests: ['sw/queue/**/*.test.ts'],
    simulation: true,
  },
  device: {
    mutate: sources('device'),
    tests: ['device/**/*.test.ts', 'sw/queue/*.test.ts', 'src/features/publish/**/*.test.ts'],
    simulation: true,
  },
  'server/modules/uploads': {
    mutate: sources('server/modules/uploads'),
    // An object store and a move of the uploads take half a minute for each mutant, and their code is in `server/adapters`.
    tests: [
      'server/modules/uploads/{announced,claims,documents,expiry,network,no-room,orphans}.test.ts',
      'server/modules/uploads/{patch,protocol,refusals,removed,request,usage}.test.ts',
    ],
    database: true,
  },
  'server/modules/posts': {
    mutate: ['server/modules/posts/{add,attachments,chunks,release,unreleased,change}.ts'],
    // Lists, ends of access and limits of forms are decided in other files. Effects of a release or a change are tested by
    // the modules that they reach.
    tests: [
      'server/modules/posts/{add,added-rows,add-leftovers,attachments,change,chunks,chunk-writes,identity-gate}.test.ts',
      'server/modules/posts/{refusals,refused-files,release,unreleased}.test.ts',
      'server/modules/notifications/{mentions,fan-out}.test.ts',
      'server/modules/realtime/{endings,revalidate}.test.ts',
      'server/stored-bytes.test.ts',
    ],
    testsOf: {
      'server/modules/posts/release.ts': [
        'server/modules/posts/{add,change,identity-gate,release,unreleased}.test.ts',
        'server/modules/notifications/{mentions,fan-out}.test.ts',
      ],
      'server/modules/posts/unreleased.ts': [
        'server/modules/posts/unreleased.test.ts',
        'server/kept-objects.test.ts',
      ],
      'server/modules/posts/chunks.ts': [
        'server/modules/posts/{added-rows,chunks,chunk-writes,unreleased}.test.ts',
        'server/stored-bytes.test.ts',
      ],
      'server/modules/posts/attachments.ts': [
        'server/modules/posts/{added-rows,attachments,refusals,refused-files,add}.test.ts',
      ],
      'server/modules/posts/add.ts': [
        'server/modules/posts/{add,added-rows,add-leftovers,attachments,identity-gate,refusals,release,unreleased}.test.ts',
        'server/modules/machine/settings.test.ts',
        'server/modules/moderation/pace.test.ts',
        'server/stored-bytes.test.ts',
        'server/kept-objects.test.ts',
      ],
    },
    database: true,
  },
  'server/modules/sessions': {
    mutate: sources('server/modules/sessions'),
    tests: [
      'server/modules/sessions/**/*.test.ts',
      'server/modules/notices/readers.test.ts',
      'server/services/auth/account-failures.test.ts',
      'server/modules/accounts/reset.test.ts',
      'server/modules/realtime/endings.test.ts',
    ],
    database: true,
  },
  'server/services/billing': {
    mutate: sources('server/services/billing'),
    tests: [
      'server/modules/adjustments/{adjustments,parts,refunds}.test.ts',
      'server/modules/payments/{bad-notices,compared-recurring,earlier-provider,money-doors,money-doors-proof}.test.ts',
      'server/modules/payments/notices.test.ts',
      'server/modules/payments/{reconcile,refund-order,task-lists,webhooks}.test.ts',
      'server/modules/memberships/{card-returns,cards,late-charges,provider-tasks}.test.ts',
      'server/modules/payment-sandbox/recurring.test.ts',
    ],
    testsOf: {
      'server/services/billing/close-task.ts': [
        'server/modules/adjustments/parts.test.ts',
        'server/modules/payments/{money-doors,reconcile,task-lists}.test.ts',
        'server/modules/memberships/provider-tasks.test.ts',
      ],
      'server/services/billing/compare-recurring.ts': [
        'server/modules/payment-sandbox/recurring.test.ts',
        'server/modules/payments/{compared-recurring,task-lists}.test.ts',
        'server/modules/memberships/{cards,provider-tasks}.test.ts',
      ],
      'server/services/billing/differences.ts': [
        'server/modules/payments/{reconcile,task-lists}.test.ts',
        'server/modules/payment-sandbox/recurring.test.ts',
      ],
      'server/services/billing/disputes.ts': [
        'server/modules/adjustments/{parts,refunds}.test.ts',
        'server/modules/payments/webhooks.test.ts',
      ],
      'server/services/billing/handle-notice.ts': [
        'server/modules/payments/{bad-notices,earlier-provider,notices,webhooks}.test.ts',
        'server/modules/memberships/{cards,late-charges}.test.ts',
      ],
      'server/services/billing/money-door.ts': [
        'server/modules/payments/{money-doors,money-doors-proof}.test.ts',
        'server/modules/adjustments/refunds.test.ts',
      ],
      'server/services/billing/perform.ts': [
        'server/modules/adjustments/{adjustments,refunds,settlements}.test.ts',
        'server/modules/payments/money-doors.test.ts',
      ],
      'server/services/billing/reconcile.ts': [
        'server/modules/payments/{earlier-provider,money-doors,reconcile,task-lists}.test.ts',
        'server/modules/payment-sandbox/recurring.test.ts',
      ],
      'server/services/billing/refund-payment.ts': [
        'server/modules/adjustments/{parts,refunds}.test.ts',
        'server/modules/payments/{money-doors,refund-order}.test.ts',
      ],
    },
    database: true,
  },
  'server/services/payments': {
    mutate: sources('server/services/payments'),
    tests: [
      'server/services/payments/*.test.ts',
      'server/modules/payments/{begin,bought-posts,effects,notices,payments,provider-states,raced-notices}.test.ts',
      // The list of the sandbox, and when a payment was refunded.
      'server/modules/payments/{compared-recurring,history,reconcile}.test.ts',
      'server/modules/adjustments/{parts,refunds}.test.ts',
    ],
    database: true,
  },
  'server/services/memberships': {
    mutate: [...sources('server/services/memberships'), ...sources('server/services/plans')],
    tests: [
      'server/modules/memberships/*.test.ts',
      'server/modules/leaving/memberships.test.ts',
      'server/modules/plans/{members,openings,plans}.test.ts',
    ],
    database: true,
  },
  'server/modules/adjustments': {
    mutate: [...sources('server/modules/adjustments'), ...sources('server/store/adjustments')],
    tests: ['server/modules/adjustments/*.test.ts', 'server/modules/payments/money-doors.test.ts'],
    database: true,
  },
  'server/modules/payouts': {
    mutate: [...sources('server/modules/payouts'), ...sources('server/store/payouts')],
    tests: ['server/{modules,store}/payouts/*.test.ts', 'server/modules/payments/practice.test.ts'],
    database: true,
  },
  'server/modules/sales': {
    mutate: [...sources('server/modules/sales'), ...sources('server/store/sales')],
    tests: [
      'server/{modules,store}/sales/*.test.ts',
      'server/modules/payouts/{bank-fees,payouts}.test.ts',
      // Rates of the platform's fee.
      'server/modules/adjustments/adjustments.test.ts',
    ],
    database: true,
  },
  'server/modules/payments': {
    mutate: [...sources('server/modules/payments'), ...sources('server/store/payments')],
    tests: [
      'server/{modules,store}/payments/*.test.ts',
      // Tasks about the tax of payouts, and what a new account may still pay.
      'server/modules/payouts/residence.test.ts',
      'server/modules/memberships/card-returns.test.ts',
    ],
    database: true,
  },
  'server/modules/plans': {
    mutate: [
      ...sources('server/modules/{memberships,plans}'),
      ...sources('server/store/{memberships,plans}'),
    ],
    tests: ['server/{modules,store}/{memberships,plans}/*.test.ts'],
    database: true,
  },
  'server/modules/media': {
    mutate: ['server/modules/media/{permit,send,routes}.ts'],
    // These tests write media files themselves. The other tests convert media, which takes minutes for each mutant, and
    // `access-table` requests every post as every viewer; the policy itself is tested in `server/rules`.
    tests: ['server/modules/media/{permit,permit-holders,send}.test.ts'],
    database: true,
  },
}

/** The area that mutates this file. */
export function areaOf(file: string): string | undefined {
  return Object.entries(areas).find(([, { mutate: patterns }]) => filesOf(patterns).includes(file))?.[0]
}

/** Files of the patterns, without those of patterns that begin with `!`. */
export function filesOf(patterns: readonly string[]): string[] {
  const no = patterns.filter((it) => it.startsWith('!')).map((it) => it.slice(1))
  return globSync(patterns.filter((it) => !it.startsWith('!'))).filter(
    (file) => !no.some((pattern) => matchesGlob(file, pattern)),
  )
}
