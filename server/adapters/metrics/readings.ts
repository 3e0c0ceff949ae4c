// Metrics that are read at a scrape: name, type, explanation and labels.

interface Described {
  /** A counter is counted elsewhere, and read here. */
  readonly type: 'gauge' | 'counter'
  readonly help: string
  readonly labels: readonly string[]
}

/** Every metric of a `Reading`. */
export const describedReadings = {
  todoke_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'How late timers were within the last ten seconds, by percentile (100: the latest).',
    labels: ['percentile'],
  },
  todoke_event_loop_utilisation_ratio: {
    type: 'gauge',
    help: 'Part of the last five minutes in which the event loop was busy, 0 to 1.',
    labels: [],
  },
  todoke_database_pool_connections: {
    type: 'gauge',
    help: 'Connections of the pool to PostgreSQL, by state.',
    labels: ['state'],
  },
  todoke_database_pool_waiting: {
    type: 'gauge',
    help: 'Callers that wait for a connection of the pool now.',
    labels: [],
  },
  todoke_database_pool_waits_total: {
    type: 'counter',
    help: 'Callers that had to wait for a connection of the full pool.',
    labels: [],
  },
  todoke_database_pool_wait_seconds_total: {
    type: 'counter',
    help: 'Time that these callers waited.',
    labels: [],
  },
  todoke_database_breaks_total: {
    type: 'counter',
    help: 'Times that connections to PostgreSQL were broken: another server is behind the address (moved), or no server replied (silent).',
    labels: ['reason'],
  },
  todoke_replica_lag_seconds: {
    type: 'gauge',
    help: 'How far a replica is behind the primary, by its place in DATABASE_REPLICA_URLS.',
    labels: ['replica'],
  },
  todoke_replica_standing: {
    type: 'gauge',
    help: '1 for the present standing of a replica, 0 for the others: used, or why it is left out.',
    labels: ['replica', 'standing'],
  },
  todoke_database_read_success: {
    type: 'gauge',
    help: '1 if the values of the database could be read for this scrape, else 0 and they are missing.',
    labels: [],
  },
  todoke_jobs: {
    type: 'gauge',
    help: 'Jobs by kind and state; those that are due later wait too. Of the database, not of this server.',
    labels: ['queue', 'state'],
  },
  todoke_job_queue_age_seconds: {
    type: 'gauge',
    help: 'Time since the oldest waiting job of a kind was due, 0 without one. Of the database, not of this server.',
    labels: ['queue'],
  },
  todoke_job_running_age_seconds: {
    type: 'gauge',
    help: 'Time since the job of a kind that runs longest was begun, 0 without one. Of the database, not of this server.',
    labels: ['queue'],
  },
  todoke_jobs_overdue: {
    type: 'gauge',
    help: 'Running jobs whose worker died, or that run longer than their kind may. Of the database, not of this server.',
    labels: ['queue'],
  },
  todoke_payments: {
    type: 'gauge',
    help: 'Payments by state. Of the database, not of this server.',
    labels: ['state'],
  },
  todoke_uploads_open: {
    type: 'gauge',
    help: 'Unfinished uploads that received a byte within a week. Of the database, not of this server.',
    labels: [],
  },
  todoke_uploads_open_bytes: {
    type: 'gauge',
    help: 'Announced bytes of these uploads. Of the database, not of this server.',
    labels: [],
  },
  todoke_live_connections: {
    type: 'gauge',
    help: 'Open WebSocket connections of this server, with a known person or without.',
    labels: ['person'],
  },
  todoke_mail_relay: {
    type: 'gauge',
    help: '1 for what the mail relay last replied to this server, 0 for the others: ok, refused, unreachable.',
    labels: ['outcome'],
  },
  todoke_pushes_total: {
    type: 'counter',
    help: 'Results of web pushes, by push service.',
    labels: ['service', 'outcome'],
  },
} as const satisfies Record<string, Described>

export type ReadingName = keyof typeof describedReadings
