// Imports that files of the page may and may not have.
import type { PlantedImports } from './row.ts'

export const pageImports: readonly PlantedImports[] = [
  [
    'src/ui',
    'src/ui/button.tsx',
    ['./icon.tsx', '#src/ui/icon.tsx', '@base-ui/react/button', 'react'],
    [
      '#src/domain/text/text.ts',
      '#src/features/posts/card.tsx',
      '#contract/posts/posts.ts',
      '#device/drafts/drafts.ts',
      'node:fs',
    ],
  ],
  [
    'src/lib',
    'src/lib/format.ts',
    ['./store.ts', '#contract/limits.ts', 'react'],
    [
      '#src/domain/api/api.ts',
      '#src/ui/button.tsx',
      '#device/session/session.ts',
      '#sw/queue/drain.ts',
      '#server/app.ts',
    ],
  ],
  [
    'src/features/x',
    'src/features/posts/card.tsx',
    [
      './gate.tsx',
      '#src/features/posts/media/player.tsx',
      '#src/domain/api/api.ts',
      '#src/ui/button.tsx',
      '#device/drafts/drafts.ts',
      '#contract/posts/posts.ts',
      'react',
    ],
    [
      '#src/features/profiles/head.tsx',
      '#src/routes/index.tsx',
      '#sw/queue/drain.ts',
      '#server/app.ts',
      '../profiles/head.tsx',
    ],
  ],
  [
    'src/features/x',
    'src/features/not-made-yet/screen.tsx',
    ['./query.ts'],
    ['#src/features/posts/card.tsx', '../posts/card.tsx'],
  ],
  [
    'src/routes',
    'src/routes/post.$id.tsx',
    [
      '#src/features/posts/card.tsx',
      '#src/domain/queries/query.ts',
      '#src/ui/button.tsx',
      '#src/sw-bridge.ts',
    ],
    ['#device/drafts/drafts.ts', '#sw/queue/drain.ts', '#server/app.ts'],
  ],
  [
    'src/sw-bridge',
    'src/sw-bridge.ts',
    ['#sw/queue/drain.ts', '#device/jobs/jobs.ts', '#src/domain/api/api.ts'],
    ['#src/features/posts/card.tsx', '#server/app.ts'],
  ],
  [
    'src',
    'src/router.ts',
    [
      './route-tree.ts',
      '#src/routes/index.tsx',
      '#src/domain/queries/query.ts',
      '#device/session/session.ts',
    ],
    ['#sw/queue/drain.ts', '#server/app.ts', 'node:fs'],
  ],
]
