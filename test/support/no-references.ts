/** What the messages of a change group refer to, where they refer to nothing. */
export const NO_REFERENCES = {
  issues: [],
  pullRequest: null,
  closes: [],
  commits: [],
  reverts: [],
  cherryPickedFrom: [],
  trailers: [],
};
