// Checks, Storage and Versions: what the machine page says about its servers.
import type { Check } from '#contract/administration/machine.ts'
import { number, relative, storageSize } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Facts } from '#src/features/administration/facts.tsx'
import type { Machine } from './machine.ts'
import { Part } from '#src/features/administration/part.tsx'
import { machineText } from './text.ts'

const looks = { ok: 'good', slow: 'care', failing: 'care', off: 'plain' } as const

export function Checks({ checks, now }: { checks: Machine['checks']; now: number }) {
  const words = machineText.checks
  return (
    <Part title={words.title}>
      <ul className="grid gap-x-8 border-t border-line rail:grid-cols-2">
        {checks.map((it) => (
          <CheckRow key={it.name} check={it} now={now} />
        ))}
      </ul>
    </Part>
  )
}

function CheckRow({ check, now }: { check: Check; now: number }) {
  const words = machineText.checks
  const since = relative(Date.parse(check.since), now)
  return (
    <li className="border-b border-line py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold">{words.names[check.name]}</span>
        <Badge look={looks[check.state]}>{words.states[check.state]}</Badge>
        <span className="text-sm text-soft tabular-nums">
          {[words.since(since), check.ms !== null && words.ms(number(check.ms))].filter(Boolean).join('・')}
        </span>
      </p>
      {check.reason !== null && <p className="mt-1 text-sm">{words.reasons[check.reason]}</p>}
      {check.detail !== '' && (
        <p lang="en" className="mt-1 font-mono text-xs break-all text-soft">
          {check.detail}
        </p>
      )}
    </li>
  )
}

export function Storage({ storage }: { storage: Machine['storage'] }) {
  const words = machineText.storage
  const { free, total, floor } = storage
  const kinds = ['uploads', 'media', 'documents', 'exports'] as const
  return (
    <Part title={words.title}>
      <Facts
        facts={[
          [
            words.free,
            free === null || total === null
              ? machineText.versions.unknown
              : words.of(storageSize(free), storageSize(total)),
          ],
          [words.floor, floor === 0 ? words.noFloor : storageSize(floor)],
          ...kinds.map(
            (it) =>
              [
                words.kinds[it],
                words.used(storageSize(storage[it].bytes), number(storage[it].count)),
              ] as const,
          ),
        ]}
      />
    </Part>
  )
}

export function Versions({ versions, servers }: { versions: Machine['versions']; servers: number }) {
  const words = machineText.versions
  const { migrations } = versions
  return (
    <Part title={words.title}>
      <Facts
        facts={[
          [words.build, versions.build ?? words.unknown],
          [words.commit, versions.commit ?? words.unknown],
          [words.servers, words.count(servers)],
          [words.node, versions.node],
          [words.database, versions.database],
          [words.redis, versions.redis ?? words.none],
          [words.ffmpeg, versions.ffmpeg ?? words.none],
          [words.migrations, words.applied(migrations.applied, migrations.known)],
        ]}
      />
    </Part>
  )
}
