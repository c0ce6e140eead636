import type { Provenance, Validation } from '#documents/provenance.js';
import type { SuiteContent } from '#documents/suite.js';
import type { Task } from '#documents/task.js';
import type { Repository, TreeFiles } from '#git/index.js';
import { certain } from '#kernel/faults.js';
import { digestOfJson } from '#kernel/ids.js';
import type { ConstructRequest, SpecWriter, StageSpec } from './construct-request.js';
import type { PreparedEnvironment } from './environments/index.js';
import type { PackagedStage, PackagedSuite, TaskParts } from './packaging/index.js';
import { type ReferenceStates, referencePatch, type StateAssertion } from './references/index.js';
import type { ExtractedSuites, SuiteParts } from './suites/index.js';
import { licenseOf, mainLanguage, nameOfRepository } from './task-names.js';

/** What the steps have made. */
export interface MadeParts {
  id: string;
  runner: Task['runner'];
  repository: Repository;
  reference: ReferenceStates;
  assertions: readonly StateAssertion[];
  prepared: PreparedEnvironment;
  suites: ExtractedSuites;
  specs: SpecWriter;
  written: readonly StageSpec[];
}

/** Puts what the steps have made into the shape of a task package. */
export async function assembleParts(request: ConstructRequest, made: MadeParts): Promise<TaskParts> {
  const { repository, reference, prepared, suites, written } = made;
  const last = certain(reference.states.at(-1), 'S_n').files;
  const touched = reference.touched.flatMap((paths) => [...paths]);
  return {
    id: made.id,
    title: request.title ?? written[0]?.title ?? made.id,
    language: mainLanguage(last, touched),
    domain: request.domain ?? null,
    source: {
      repo: repositoryName(request),
      license: request.license ?? (await readLicense(repository, last)),
      stars: request.stars ?? null,
      checkpoint: reference.stages.checkpoint.oid,
    },
    runner: made.runner,
    stageMs: request.stageMs,
    repository,
    states: reference.states,
    stages: await packagedStages(made),
    chain: packagedSuite(suites.chain),
    environment: prepared.environment,
    environmentInputs: prepared.inputs,
    validation: validationOf(request, made),
    provenance: provenanceOf(request, made),
    construction: constructionOf(request, made),
  };
}

async function packagedStages({ repository, reference, suites, written }: MadeParts): Promise<PackagedStage[]> {
  const stages: PackagedStage[] = [];
  for (const [index, spec] of written.entries()) {
    const before = certain(reference.states[index], 'state before the stage');
    const after = certain(reference.states[index + 1], 'state after the stage');
    const patch = await referencePatch(repository, before.tree, after.tree);
    stages.push({ ...spec, patch, suite: packagedSuite(certain(suites.stages[index], 'suite')) });
  }
  return stages;
}

/** A suite as the package takes it. */
export function packagedSuite(parts: SuiteParts): PackagedSuite {
  return { suite: parts.suite as SuiteContent, tests: parts.tests, manifests: parts.manifests };
}

function repositoryName(request: ConstructRequest): string {
  return request.repositoryName ?? nameOfRepository(request.repository);
}

function validationOf(request: ConstructRequest, { prepared, suites }: MadeParts): Validation {
  return {
    environment: prepared.environment.digest,
    sandbox: request.sandbox,
    tools: { ...prepared.environment.recipe.toolchains, featurearc: request.toolVersion },
    observations: suites.observations,
  };
}

function provenanceOf(request: ConstructRequest, { reference, assertions }: MadeParts): Provenance {
  const { stages, checkpoint } = reference.stages;
  return {
    repository: repositoryName(request),
    checkpoint: checkpoint.oid,
    stages: stages.map(({ commits }) => ({
      commits: commits.map(({ oid }) => oid),
      subjects: commits.map(({ subject }) => subject),
    })),
    ...(request.chain === undefined ? {} : { chain: request.chain }),
    states: reference.states.map(({ tree }) => tree),
    removals: reference.rows.map((row) => ({ ...row })),
    layers: reference.layers,
    explained: reference.explained.map((lines) =>
      [...lines].map(([line, why]) => ({ line: Buffer.from(line.trim(), 'latin1').toString('utf8'), why })),
    ),
    removedNotes: reference.removedNotes,
    assertions: assertions.map((assertion) => ({ ...assertion })),
  };
}

function constructionOf(request: ConstructRequest, made: MadeParts): Task['construction'] {
  const { reference, prepared, suites, specs, written } = made;
  const version = request.toolVersion;
  const byRules = (step: string, digest: string) => ({ step, by: 'rules' as const, model: null, version, digest });
  const suiteRows = [...suites.stages, suites.chain].map(({ suite, tests, manifests }) => ({
    suite,
    files: [...tests, ...manifests].map(([path, { mode, oid }]) => [path, mode, oid]),
  }));
  const { chain } = request;
  const mined =
    chain === undefined
      ? []
      : [
          {
            step: 'chain',
            by: chain.reviewer.by,
            model: chain.reviewer.model,
            version: chain.toolVersion,
            digest: digestOfJson(chain),
          },
        ];
  return [
    ...mined,
    byRules('references', digestOfJson(reference.states.map(({ tree }) => tree))),
    byRules('environment', prepared.environment.digest),
    byRules('suites', digestOfJson(suiteRows)),
    { step: 'specs', by: specs.by, model: specs.model, version, digest: digestOfJson(written) },
  ];
}

async function readLicense(repository: Repository, files: TreeFiles): Promise<string | null> {
  const path = [...files.keys()].find((name) => /^(?:licen[cs]e|copying)(?:[.][a-z]+)?$/i.test(name));
  const file = path === undefined ? undefined : files.get(path);
  return file === undefined ? null : licenseOf((await repository.readBlob(file.oid)).toString('utf8'));
}
