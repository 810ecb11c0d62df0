// One of the two gateways in one play: performs steps and answers the values to compare.
import type { Behaviour } from "../../interface/behaviour/behaviour.ts";
import { behaviour, thing } from "../../interface/behaviour/index.ts";
import type { Answer, GatewayUnderTest, InvalidInputs, Profile, Session } from "../../harness/index.ts";
import { judgeAnswer } from "./answerRules.ts";
import { applyEffects } from "./effects.ts";
import { type Caller, expectAnswer } from "./expectation.ts";
import { judgePage } from "./eventPage.ts";
import type { Names } from "./names.ts";
import { observe, valueAt } from "./observation.ts";
import { judgeProfile, judgeUpload } from "./sections.ts";
import { isExtensionId } from "../../interface/binding.ts";
import { operationOf, resolveInputs, type Step } from "./step.ts";
import { type ResolvedInputs, type Subject, subjectsOf } from "./subject.ts";
import type { Judged, World } from "./world.ts";

/** The result of one step on one gateway. */
export interface SideOutcome {
  readonly answer: Answer;
  readonly judged: readonly Judged[];
}

interface SignedIn {
  readonly session: Session;
  readonly user: string;
  isDoubtful: boolean;
}

/** After these the tokens of a user may be invalid. */
const endsSignIns = new Set(["updateUser", "updateUserPassword", "updateCurrentUser", "deleteUser"]);

export class Side {
  readonly gateway: GatewayUnderTest;
  readonly profile: Profile;
  readonly world: World;
  readonly names: Names;
  /** Operations that changed something, with the label of what they changed. */
  readonly changed = new Map<string, { known: Behaviour; label: string }>();
  readonly #signedIn = new Map<string, SignedIn>();

  constructor(
    { gateway, profile }: { readonly gateway: GatewayUnderTest; readonly profile: Profile },
    world: World,
    names: Names,
  ) {
    this.gateway = gateway;
    this.profile = profile;
    this.world = world;
    this.names = names;
  }

  /** The step's inputs with the ids of this gateway; undefined when it names something that the gateway does not have. */
  resolve(step: Step): ResolvedInputs | undefined {
    if (step.by !== undefined && !this.#signedIn.has(step.by)) return undefined;
    return resolveInputs(step, (reference) => this.names.lookUp(reference));
  }

  async perform(step: Step, inputs: ResolvedInputs, at: number): Promise<SideOutcome> {
    const operation = operationOf(step);
    const known = operation === undefined ? undefined : behaviour(operation);
    const signedIn = step.by === undefined ? undefined : this.#signedIn.get(step.by);
    const before = known === undefined ? [] : subjectsOf(known, inputs, this.names, signedIn?.user);
    const caller = this.#caller(step, signedIn);
    const expectation = expectAnswer(step, known, inputs, before, this.world, caller, this.names);
    const answer = await this.#send(step, inputs, signedIn?.session ?? this.gateway.admin);
    const judged = judgeAnswer(answer, known, expectation);
    if (known === undefined) return { answer, judged };
    if (!answer.accepted) {
      if (step.refusedBy !== undefined) this.world.wrote(known.kind, at, step.refusedBy);
      return { answer, judged };
    }
    const body = answer.json;
    const subjects = this.#taken(step, known, before, body, answer);
    applyEffects(known, subjects, this.world, this.names, at);
    this.#note(step, known, subjects);
    const observations = observe(body, known, this.names, subjects[0]?.label);
    judged.push(...this.world.judge(observations, known, at));
    judged.push(...this.#judgeWhole(step, inputs, body, at));
    return { answer, judged };
  }

  /** Operations whose answer is more than things and their fields. */
  #judgeWhole(step: Step, inputs: ResolvedInputs, body: unknown, at: number): Judged[] {
    const query = inputs.query ?? {};
    if (step.operation === "getEvents") return judgePage(query, body, this.names, this.world);
    if (step.operation === "exportConfiguration") return judgeProfile(query, body, this.world, at);
    return step.operation === "uploadConfiguration" ? judgeUpload(inputs.form, body) : [];
  }

  async #send(step: Step, inputs: ResolvedInputs, session: Session): Promise<Answer> {
    const operation = operationOf(step);
    const given = Object.fromEntries(
      Object.entries(inputs).filter(([, part]) => part !== undefined),
    ) as InvalidInputs;
    if (operation === undefined || isExtensionId(operation))
      return session.callExtension(operation ?? "checkToken", given);
    if (step.refusedBy !== undefined) return session.callInvalid(operation, given);
    return session.callChecked(operation, given);
  }

  #caller(step: Step, signedIn: SignedIn | undefined): Caller | undefined {
    if (signedIn === undefined) return undefined;
    const operation = operationOf(step);
    const permission =
      operation === undefined || isExtensionId(operation)
        ? undefined
        : this.profile.binding.get(operation)?.permission;
    return { label: signedIn.user, permission, isDoubtful: signedIn.isDoubtful };
  }

  /** The subjects of an accepted request: a thing that was made has an id. */
  #taken(
    step: Step,
    known: Behaviour,
    before: readonly Subject[],
    body: unknown,
    answer: Answer,
  ): readonly Subject[] {
    const { as } = step;
    if (as === undefined) return before;
    const type = answer.headers["content-type"] ?? "";
    if (step.operation === "exportConfiguration" && !type.includes("json")) {
      this.names.files.set(as, { fileName: `${as}.tar.gz`, content: answer.bytes });
      return before;
    }
    if (step.operation === "signIn") {
      const token = valueAt(body, "/data/token");
      const user = before[0]?.label;
      if (typeof token === "string" && user !== undefined) {
        const session = this.gateway.withToken(token, as);
        this.#signedIn.set(as, { session, user, isDoubtful: false });
      }
      return before;
    }
    if (known.does !== "create") return before;
    const { key, keyFrom } = thing(known.kind);
    const [shown] = known.answers ?? [];
    const id =
      keyFrom === "gateway" && shown !== undefined
        ? valueAt(body, `${shown.at}/${key ?? ""}`)
        : this.names.lookUp({ $name: as });
    if (id === undefined) return before;
    this.names.made(as, known.kind, id);
    return [{ kind: known.kind, label: as, inputs: this.resolve(step)?.json ?? {} }];
  }

  #note(step: Step, known: Behaviour, subjects: readonly Subject[]): void {
    if (known.does === "show" || known.does === "list") return;
    for (const { label } of subjects) {
      this.changed.set(`${step.operation} ${label}`, { known, label });
      if (!endsSignIns.has(step.operation)) continue;
      for (const signedIn of this.#signedIn.values()) if (signedIn.user === label) signedIn.isDoubtful = true;
    }
  }
}
