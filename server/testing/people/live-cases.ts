// A decided and appealed case, for tests of deletions.
import { newId } from '#contract/ids.ts'
import type { World } from '#server/testing/world.ts'

/** A report of the second person by the first one, decided by a measure and appealed. */
export async function fillCase(
  world: World,
  [by, about]: readonly string[],
  texts: { readonly detail: string; readonly about: string },
  at: string,
) {
  const run = (statement: string, values: readonly unknown[]) => world.database.executeSql(statement, values)
  const [caseId, decisionId] = [newId(), newId()]
  await run(
    `insert into cases (id, target_kind, target_id, owner_id, state, reports, since, taken_by)
     values ($1, 'person', $2, $2, 'decided', 0, $3, $4)`,
    [caseId, about, at, by],
  )
  await run(
    `insert into reports (id, case_id, reporter_id, owner_id, target_kind, target_id, reason, detail, quoted, created_at)
     values ($1, $2, $3, $4, 'person', $4, 'spam', $5, '{}', $6)`,
    [newId(), caseId, by, about, texts.detail, at],
  )
  await run(
    `insert into decisions (id, case_id, person_id, outcome, rule, text_to_person, text_to_reporters, excerpt, note, decided_at)
     values ($1, $2, $3, 'acted', 'spam', $4, $4, $4, $4, $5)`,
    [decisionId, caseId, about, texts.about, at],
  )
  await run(
    `insert into measures (id, decision_id, kind, target_kind, target_id, began_at) values ($1, $2, 'warn', 'person', $3, $4)`,
    [newId(), decisionId, about, at],
  )
  const word = newId()
  await run(
    `insert into blocked_words (id, owner_id, word, folded, created_at) values ($1, $2, $3, $3, $4)`,
    [word, about, texts.about === '' ? word : texts.about, at],
  )
  await run(
    `insert into holds (id, target_kind, target_id, owner_id, creator_id, reviewer, reason, word, word_id, state, created_at)
     values ($1, 'comment', $2, $3, $4, 'creator', 'word', $5, $6, 'open', $7)`,
    [newId(), newId(), by, about, texts.about, word, at],
  )
  await run(
    `insert into holds (id, target_kind, target_id, owner_id, reviewer, reason, word, state, created_at)
     values ($1, 'post', $2, $3, 'staff', 'word', '', 'open', $4)`,
    [newId(), newId(), about, at],
  )
  const inquiryId = newId()
  await run(
    `insert into inquiries (id, kind, state, sealed, sender_id, target_kind, target_id, owner_id, may_tell_name, created_at,
       received_at, due_at, taken_by)
     values ($1, 'privacy', 'in_progress', 'x', $2, 'person', $3, $3, true, $4, $4, $4, $2)`,
    [inquiryId, by, about, at],
  )
  await run(
    `insert into inquiry_events (id, inquiry_id, act, at, staff_id) values ($1, $2, 'asked_sender', $3, $4)`,
    [newId(), inquiryId, at, about],
  )
  await run(`insert into appeals (decision_id, text, sent_at) values ($1, $2, $3)`, [
    decisionId,
    texts.about,
    at,
  ])
}
