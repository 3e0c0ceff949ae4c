// About: describes the service, its delivery of posts, and the installation.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useViewer } from '#src/domain/session/session.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Rich } from '#src/ui/text/rich.tsx'
import { Row, Rows } from '#src/ui/rows.tsx'
import { aboutText } from './about-text.ts'
import { TrayPicture } from './tray-picture.tsx'
import { lawPages, topics } from './topics.ts'

export function About() {
  const viewer = useViewer()
  return (
    <article className="pb-16">
      <div className="px-4 pt-8 rail:px-8">
        <p className="text-2xl font-semibold">
          {aboutText.pitch.map((phrase) => (
            <span key={phrase} className="inline-block">
              {phrase}
            </span>
          ))}
        </p>
        <p className="mt-4 text-read">{aboutText.lead}</p>
        {viewer.is === 'unauthenticated' && <Entrance />}
        <div className="mt-10">
          <TrayPicture />
        </div>
        <How />
        <Part title={aboutText.careTitle}>
          <ul className="mt-3 flex list-disc flex-col gap-2 pl-6 text-read marker:text-soft">
            {aboutText.care.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </Part>
        <Part title={aboutText.installTitle}>
          <p className="mt-3 text-read">
            <Rich text={aboutText.install} />
          </p>
        </Part>
      </div>
      <div className="mt-12">
        <Rows label={aboutText.more}>
          {topics.slice(0, 1).map((it) => (
            <Row key={it.path} to={it.path} title={it.title} hint={it.summary} />
          ))}
          {lawPages
            .filter((it) => it.path !== '/about')
            .map((it) => (
              <Row key={it.path} to={it.path} title={it.title} />
            ))}
        </Rows>
      </div>
    </article>
  )
}

function Entrance() {
  return (
    <p className="mt-6 flex flex-wrap gap-3">
      <Link to="/register" className={buttonClass('seal')}>
        {aboutText.register}
      </Link>
      <Link to="/login" className={buttonClass('quiet')}>
        {aboutText.signIn}
      </Link>
    </p>
  )
}

function How() {
  return (
    <Part title={aboutText.howTitle}>
      <ol className="mt-4 flex flex-col gap-6">
        {aboutText.how.map((it, i) => (
          <li key={it.title} className="flex gap-4">
            <span
              aria-hidden
              className="grid size-9 shrink-0 place-items-center rounded-pill border border-ink font-semibold tabular-nums"
            >
              {i + 1}
            </span>
            <div className="min-w-0 pt-1">
              <h3 className="text-read font-semibold">{it.title}</h3>
              <p className="mt-1 text-read">{it.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-12">
      <h2 className="text-xl font-semibold">{title}</h2>
      {children}
    </section>
  )
}
