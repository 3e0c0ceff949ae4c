// Planted imports between ordered folders, of which each may import only those before it.
import type { PlantedImports } from './row.ts'

export const domainImports = (domains: readonly string[]): PlantedImports[] =>
  domains.map((name, index): PlantedImports => [
    `src/domain/${name}`,
    `src/domain/${name}/one.ts`,
    [
      './two.ts',
      ...domains.slice(0, index).map((below) => `#src/domain/${below}/two.ts`),
      '#src/lib/format.ts',
      '#contract/posts/posts.ts',
      '#device/session/session.ts',
      '@tanstack/react-query',
    ],
    [
      ...domains.slice(index + 1).map((above) => `#src/domain/${above}/two.ts`),
      '#src/features/posts/card.tsx',
      '#src/ui/button.tsx',
      '#src/sw-bridge.ts',
      '#sw/queue/drain.ts',
      '#server/app.ts',
    ],
  ])

export const serviceImports = (services: readonly string[]): PlantedImports[] =>
  services.map((name, index): PlantedImports => [
    `server/services/${name}`,
    `server/services/${name}/one.ts`,
    [
      './two.ts',
      ...services.slice(0, index).map((below) => `#server/services/${below}/two.ts`),
      '#server/http/errors.ts',
      '#server/store/posts/posts.ts',
      '#contract/posts/posts.ts',
      'node:crypto',
    ],
    [
      ...services.slice(index + 1).map((above) => `#server/services/${above}/two.ts`),
      '#server/modules/posts/add.ts',
      '#server/deps.ts',
      '#src/domain/text/text.ts',
    ],
  ])
