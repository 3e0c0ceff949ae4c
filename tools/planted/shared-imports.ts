// Imports that files of contract, device, worker and tools may and may not have.
import type { PlantedImports } from './row.ts'

export const sharedImports: readonly PlantedImports[] = [
  [
    'contract',
    'contract/posts/posts.ts',
    ['./ids.ts', '#contract/ids.ts', 'valibot'],
    [
      '#device/drafts/drafts.ts',
      '#server/app.ts',
      '#src/domain/api/api.ts',
      'node:fs',
      'react',
      'valibot-extra',
      '../device/a.ts',
    ],
  ],
  [
    'device',
    'device/drafts/drafts.ts',
    ['./schema.ts', '#contract/ids.ts', 'idb'],
    [
      '#sw/queue/drain.ts',
      '#src/domain/api/api.ts',
      '#server/app.ts',
      'react',
      'node:fs',
      '../contract/ids.ts',
    ],
  ],
  [
    'sw',
    'sw/queue/requests/tus.ts',
    ['./ports.ts', '#sw/windows.ts', '#device/jobs/jobs.ts', '#contract/ids.ts', 'tus-js-client'],
    ['#src/domain/api/api.ts', '#server/app.ts', 'node:fs', '../windows.ts'],
  ],
  [
    'sw/sim',
    'sw/sim/servers/server.ts',
    [
      './network.ts',
      '#sw/queue/drain.ts',
      '#device/jobs/jobs.ts',
      '#contract/ids.ts',
      '#src/features/publish/tray/delivery.ts',
      '#server/testing/world.ts',
      'node:crypto',
    ],
    ['#src/domain/api/api.ts', '#server/app.ts', '#server/modules/posts/add.ts', '../upload/drain.ts'],
  ],
  [
    'sw/recovery',
    'sw/recovery/posts.test.ts',
    [
      './test-device.ts',
      '#sw/queue/drain.ts',
      '#device/jobs/jobs.ts',
      '#contract/ids.ts',
      '#server/app.ts',
      'node:fs',
    ],
    ['#src/domain/api/api.ts', '../upload/drain.ts'],
  ],
  [
    'bench',
    'bench/feed.ts',
    ['./main.ts', '#bench/rig/load.ts', '#server/rules/search-grams.ts', '#contract/paths.ts', 'node:fs'],
    ['#server/app.ts', '#src/domain/api/api.ts', '#device/jobs/jobs.ts'],
  ],
  [
    'e2e',
    'e2e/story.spec.ts',
    ['./rig/story.ts', '#e2e/rig/network/server.ts', '#contract/paths.ts', '@playwright/test', 'node:fs'],
    ['#server/app.ts', '#src/domain/api/api.ts', '../server/app.ts'],
  ],
  [
    'e2e/rig/cluster',
    'e2e/rig/cluster/cluster.ts',
    ['./relay.ts', '#e2e/rig/network/server.ts', '#server/testing/redis.ts', 'node:fs'],
    ['#server/app.ts', '#src/domain/api/api.ts'],
  ],
  [
    'tools',
    'tools/check.ts',
    ['./checks.ts', '#contract/paths.ts', 'vitest/node', 'node:fs'],
    ['#server/app.ts', '#e2e/rig/story.ts', '../server/app.ts'],
  ],
  [
    'tools/faults/run',
    'tools/faults/run.ts',
    ['./all.ts', '../runs/begin.ts', 'vitest/node', 'node:fs'],
    ['../run.ts', '#server/app.ts'],
  ],
  [
    'tools/runs',
    'tools/runs/begin.ts',
    ['./end.ts', '../testing/temporary-folder.ts', 'node:fs'],
    ['../run.ts', '#contract/paths.ts', 'vitest/node'],
  ],
  [
    'tools/faults',
    'tools/faults/moderation/a.ts',
    ['./b.ts', '../fault.ts'],
    ['../all.ts', '#server/app.ts'],
  ],
  ['config', 'vitest.config.ts', ['vitest/config', 'node:fs'], ['#server/app.ts', '#contract/ids.ts']],
]
