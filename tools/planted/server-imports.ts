// Imports that files of the server may and may not have.
import type { PlantedImports } from './row.ts'

export const serverImports: readonly PlantedImports[] = [
  [
    'server/rules',
    'server/rules/post-access.ts',
    ['./age.ts', '#server/rules/age.ts', '#contract/posts/posts.ts'],
    [
      'node:crypto',
      'drizzle-orm',
      'valibot',
      '#server/store/posts/posts.ts',
      '#server/services/posts/post-view.ts',
      '#server/deps.ts',
      '../store/posts.ts',
    ],
  ],
  [
    'server/store',
    'server/store/posts/posts.ts',
    ['./schema.ts', '#contract/posts/posts.ts', 'drizzle-orm', 'drizzle-orm/pg-core', 'pg'],
    [
      '#server/http/route.ts',
      '#server/rules/age.ts',
      '#server/modules/posts/routes.ts',
      'fastify',
      'pg-extra',
    ],
  ],
  [
    'server/adapters',
    'server/adapters/mail/relay.ts',
    ['./clock.ts', '#contract/ids.ts', 'sharp', 'node:fs'],
    [
      '#server/store/posts/posts.ts',
      '#server/http/route.ts',
      '#server/modules/posts/routes.ts',
      '#src/domain/text/text.ts',
    ],
  ],
  [
    'server/cli/money',
    'server/cli/money/check.ts',
    ['./lines.ts'],
    [
      '#server/rules/money/fees.ts',
      '#server/services/payments/refund.ts',
      '#server/modules/payouts/advance.ts',
      '#server/store/payments/ledger.ts',
      '#server/cli/command.ts',
      '#contract/ids.ts',
      'drizzle-orm',
      'node:fs',
    ],
  ],
  [
    'server/http',
    'server/http/route.ts',
    [
      './errors.ts',
      '#server/store/accounts/sessions.ts',
      '#server/adapters/clock.ts',
      '#contract/endpoint.ts',
      'fastify',
    ],
    [
      '#server/modules/posts/routes.ts',
      '#server/services/auth/throttle.ts',
      '#server/store/posts/posts.ts',
      '#server/rules/age.ts',
      '#src/domain/text/text.ts',
    ],
  ],
  [
    'server/env',
    'server/env/mail.ts',
    ['./push.ts', '#server/adapters/mail/relay.ts', 'valibot'],
    ['#server/deps.ts', '#server/modules/posts/add.ts', '#server/store/database.ts'],
  ],
  [
    'server/modules/x',
    'server/modules/posts/routes.ts',
    [
      './flow.ts',
      '#server/http/route.ts',
      '#server/rules/age.ts',
      '#server/store/posts/posts.ts',
      '#server/deps.ts',
    ],
    [
      '#server/modules/uploads/routes.ts',
      '#server/app.ts',
      '#src/domain/text/text.ts',
      '../uploads/routes.ts',
    ],
  ],
  [
    'server/modules/x',
    'server/modules/not-made-yet/routes.ts',
    ['#server/http/route.ts'],
    ['#server/modules/posts/flow.ts', '../posts/flow.ts'],
  ],
  [
    'server/cli',
    'server/cli/main.ts',
    ['./commands.ts', '#server/deps.ts', '#contract/ids.ts', 'node:fs'],
    ['#src/domain/api/api.ts', '#sw/sim/story.ts', '../app.ts'],
  ],
  [
    'server/sim',
    'server/sim/run.ts',
    ['./story.ts', '#server/deps.ts', '#contract/ids.ts', 'node:fs'],
    ['#src/domain/api/api.ts', '#sw/sim/story.ts', '../app.ts'],
  ],
  [
    'server/testing',
    'server/testing/world.ts',
    ['#server/app.ts', '#contract/ids.ts', 'node:fs'],
    ['#src/domain/api/api.ts', '../app.ts'],
  ],
  [
    'server',
    'server/app.ts',
    ['./deps.ts', '#server/modules/posts/routes.ts', '#contract/api.ts', 'fastify'],
    ['#src/domain/api/api.ts', '#sw/queue/drain.ts', '#device/jobs/jobs.ts'],
  ],
]
