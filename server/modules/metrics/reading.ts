// One value of a scrape.
import type { Deps } from '#server/deps.ts'

type Exposition = NonNullable<Deps['metrics']['exposition']>

export type Reading = Parameters<Exposition['text']>[0][number]
