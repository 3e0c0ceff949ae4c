// Servers: slow requests, event loop and memory of each server process.
import type { PushFigures, RouteTimes, Server } from '#contract/administration/machine.ts'
import { number, relative, storageSize } from '#src/lib/format.ts'
import { Facts } from '#src/features/administration/facts.tsx'
import { cellClass, headClass, Part, WideTable } from '#src/features/administration/part.tsx'
import { machineText } from './text.ts'

const words = machineText.servers

export function Servers({ servers, now }: { servers: readonly Server[]; now: number }) {
  return (
    <Part title={words.title} lead={words.unit}>
      {servers.map((it) => (
        <OneServer key={it.id} server={it} now={now} />
      ))}
    </Part>
  )
}

const nameOf = (it: Server): string => (it.own ? words.own : words.named(it.id.slice(-8)))

function OneServer({ server, now }: { server: Server; now: number }) {
  const { loop, memory } = server
  const name = nameOf(server)
  return (
    <section aria-label={name} className="pt-3 pb-5">
      <h4 className="pb-2 font-semibold">{name}</h4>
      <Facts
        facts={[
          [words.started, relative(Date.parse(server.started_at), now)],
          [words.loop, words.delay(number(loop.p50), number(loop.p99), number(loop.max))],
          [words.utilisation, `${number(Math.round(server.utilisation * 1000) / 10)}%`],
          [words.memory, storageSize(memory.rss)],
          ['', words.heap(storageSize(memory.heap), storageSize(memory.heap_limit))],
        ]}
      />
      <Routes routes={server.routes} label={`${name}・${words.routes}`} />
      <Pushes pushes={server.pushes} />
    </section>
  )
}

function Routes({ routes, label }: { routes: readonly RouteTimes[]; label: string }) {
  if (routes.length === 0) return <p className="pt-3 text-soft">{words.noRoutes}</p>
  const numbers = ['count', 'p50', 'p95', 'p99', 'max'] as const
  return (
    <div className="pt-4">
      <h5 className="pb-1 text-sm font-semibold">{words.routes}</h5>
      <WideTable label={label}>
        <thead>
          <tr>
            {Object.values(words.columns).map((it) => (
              <th key={it} scope="col" className={headClass}>
                {it}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {routes.map((it) => (
            <tr key={it.route}>
              <th scope="row" className={`${cellClass} text-left font-mono text-xs font-normal`}>
                {it.route}
              </th>
              {numbers.map((name) => (
                <td key={name} className={cellClass}>
                  {number(it[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </WideTable>
    </div>
  )
}

function Pushes({ pushes }: { pushes: readonly PushFigures[] }) {
  if (pushes.length === 0) return null
  return (
    <div className="pt-4">
      <h5 className="pb-1 text-sm font-semibold">{words.pushes}</h5>
      <Facts
        facts={pushes.map(
          (it) => [it.service, words.push(number(it.sent), number(it.failed), number(it.expired))] as const,
        )}
      />
    </div>
  )
}
