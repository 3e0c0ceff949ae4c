// HelpIndex: the topics of help, and links to the legal pages.
import { Row, Rows } from '#src/ui/rows.tsx'
import { helpText, lawPages, topics } from './topics.ts'

export function HelpIndex() {
  return (
    <div className="pb-16">
      <p className="px-4 pt-5 text-read">{helpText.indexLead}</p>
      <Rows label={helpText.topics}>
        {topics.map((it) => (
          <Row key={it.path} to={it.path} title={it.title} hint={it.summary} />
        ))}
      </Rows>
      <Rows label={helpText.law}>
        {lawPages.map((it) => (
          <Row key={it.path} to={it.path} title={it.title} />
        ))}
      </Rows>
    </div>
  )
}
