//! Where statements of Kismet lead: landings of jumps, joins of conditions, loops.

use std::collections::{BTreeMap, BTreeSet};

use super::ScriptExpression;

/// Steps that finding joins and loops may take for each statement; where it takes more there are none.
const STEPS: usize = 64;

/// Where something leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlowTarget {
    /// To a statement.
    Row(usize),
    /// To what was pushed last.
    Pop,
    /// Out of the function.
    Return,
    /// To a place where no statement starts.
    Elsewhere(u32),
}

/// The facts about each statement.
#[derive(Debug)]
pub(super) struct KismetGraph {
    lands: Vec<FlowTarget>,
    jumps: Vec<FlowTarget>,
    /// Where all that follows a condition meets; the number of statements where it does not.
    joins: Vec<usize>,
    /// Heads of loops, and where these lead when they end.
    loops: BTreeMap<usize, Option<FlowTarget>>,
    /// Rows to which no other leads.
    starts: Vec<bool>,
}

impl KismetGraph {
    pub fn of(code: &[ScriptExpression], entries: &BTreeSet<u32>) -> Self {
        let lands = vec![FlowTarget::Return; code.len()];
        let joins = vec![code.len(); code.len()];
        let (jumps, loops) = Default::default();
        let starts = Vec::new();
        let mut graph = Self { lands, jumps, joins, loops, starts };
        graph.find_landings(code);
        graph.jumps = code.iter().map(|statement| graph.target(code, statement)).collect();
        let mut search = GraphSearch::new(code, &graph);
        search.walk(code, entries, &graph);
        search.find_joins(&graph);
        let mut starts: Vec<bool> = search.before.iter().map(Vec::is_empty).collect();
        for (row, statement) in code.iter().enumerate() {
            if statement.name == "PushExecutionFlow"
                && let FlowTarget::Row(next) = graph.land(row + 1)
            {
                starts[next] = false;
            }
        }
        graph.starts = starts;
        (graph.joins, graph.loops) = (search.joins, search.loops);
        graph
    }

    /// The row of a place; what stood before a row and was left out leads to it.
    pub fn row(&self, code: &[ScriptExpression], place: u32) -> Option<usize> {
        let row = code.partition_point(|statement| statement.place < place);
        let is_here = code.get(row).is_some_and(|statement| statement.place == place);
        let before = row.checked_sub(1).and_then(|before| code.get(before));
        (is_here || before.is_none_or(|before| before.end <= place)).then_some(row)
    }

    fn target(&self, code: &[ScriptExpression], statement: &ScriptExpression) -> FlowTarget {
        match statement.jump() {
            Some(place) => match self.row(code, place) {
                Some(row) => self.land(row),
                None => FlowTarget::Elsewhere(place),
            },
            None => FlowTarget::Return,
        }
    }

    fn find_landings(&mut self, code: &[ScriptExpression]) {
        let mut is_known = vec![false; code.len()];
        for start in 0..code.len() {
            let (mut chain, mut row) = (Vec::new(), start);
            let found = loop {
                let Some(statement) = code.get(row) else { break FlowTarget::Return };
                if is_known[row] {
                    break self.lands[row];
                }
                is_known[row] = true;
                chain.push(row);
                // Of a circle of jumps each leads to itself.
                self.lands[row] = FlowTarget::Row(row);
                let value = statement.expressions().next();
                break match statement.name {
                    "Jump" => match statement.jump().map(|place| (place, self.row(code, place))) {
                        Some((_, Some(next))) => {
                            row = next;
                            continue;
                        }
                        Some((place, None)) => FlowTarget::Elsewhere(place),
                        None => FlowTarget::Return,
                    },
                    "PopExecutionFlow" => FlowTarget::Pop,
                    "EndOfScript" => FlowTarget::Return,
                    "Return" if value.is_none_or(|value| value.name == "Nothing") => {
                        FlowTarget::Return
                    }
                    "Nothing" => {
                        row += 1;
                        continue;
                    }
                    _ => FlowTarget::Row(row),
                };
            };
            chain.into_iter().for_each(|row| self.lands[row] = found);
        }
    }

    /// Where a row leads when jumps are followed.
    pub fn land(&self, row: usize) -> FlowTarget {
        self.lands.get(row).copied().unwrap_or(FlowTarget::Return)
    }

    /// Where a row jumps to.
    pub fn jump(&self, row: usize) -> FlowTarget {
        self.jumps.get(row).copied().unwrap_or(FlowTarget::Return)
    }

    /// The row in which all that follows a condition meets.
    pub fn join(&self, row: usize) -> Option<usize> {
        self.joins.get(row).copied().filter(|join| *join < self.lands.len())
    }

    /// Whether no other row leads to this one.
    pub fn is_start(&self, row: usize) -> bool {
        self.starts.get(row).is_some_and(|is_start| *is_start)
    }

    /// Of the head of a loop: where that leads when it ends.
    pub fn follow(&self, row: usize) -> Option<Option<FlowTarget>> {
        self.loops.get(&row).copied()
    }
}

/// Goes through the statements of all procedures.
struct GraphSearch {
    next: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
    /// Rows that may pop.
    pops: Vec<bool>,
    /// Rows in the order in which all that follows them was seen, and their places in it.
    order: Vec<usize>,
    finished: Vec<usize>,
    back: BTreeMap<usize, Vec<usize>>,
    joins: Vec<usize>,
    loops: BTreeMap<usize, Option<FlowTarget>>,
    /// Where statements lead, for sure and most likely, and how many lie behind.
    sure: Vec<usize>,
    depths: Vec<usize>,
    steps: usize,
}

impl GraphSearch {
    fn new(code: &[ScriptExpression], graph: &KismetGraph) -> Self {
        let exit = code.len();
        let row = |at: FlowTarget| match at {
            FlowTarget::Row(row) => row,
            _ => exit,
        };
        let (mut next, mut before) = (Vec::new(), vec![Vec::new(); exit + 1]);
        let mut pops = vec![false; exit];
        for (at, statement) in code.iter().enumerate() {
            let behind = graph.land(at + 1);
            let targets = match statement.name {
                "PushExecutionFlow" => vec![graph.jump(at)],
                "JumpIfNot" => vec![behind, graph.jump(at)],
                "Return" | "ComputedJump" | "EndOfScript" | "Jump" | "PopExecutionFlow" => {
                    vec![FlowTarget::Return]
                }
                _ => vec![behind],
            };
            pops[at] =
                statement.name == "PopExecutionFlowIfNot" || targets.contains(&FlowTarget::Pop);
            let mut rows: Vec<usize> = targets.into_iter().map(row).collect();
            rows.dedup();
            rows.iter().for_each(|to| before[*to].push(at));
            next.push(rows);
        }
        let steps = STEPS * (exit + STEPS);
        Self {
            next,
            before,
            pops,
            order: Vec::new(),
            finished: vec![usize::MAX; exit],
            back: BTreeMap::new(),
            joins: vec![exit; exit],
            loops: BTreeMap::new(),
            sure: vec![exit; exit],
            depths: vec![0; exit + 1],
            steps,
        }
    }

    /// Goes depth first through all that can be reached, then through the rest.
    fn walk(&mut self, code: &[ScriptExpression], entries: &BTreeSet<u32>, graph: &KismetGraph) {
        let mut starts: Vec<usize> = vec![0];
        starts.extend(entries.iter().filter_map(|place| graph.row(code, *place)));
        for (row, statement) in code.iter().enumerate() {
            if statement.name == "PushExecutionFlow" {
                starts.push(row + 1);
            }
            starts.extend(resume_places(statement).iter().filter_map(|at| graph.row(code, *at)));
        }
        starts.extend(0..code.len());
        let (mut is_seen, mut is_open) = (vec![false; code.len()], vec![false; code.len()]);
        for start in starts {
            let FlowTarget::Row(start) = graph.land(start) else { continue };
            if std::mem::replace(&mut is_seen[start], true) {
                continue;
            }
            is_open[start] = true;
            let mut open = vec![(start, 0)];
            while let Some((row, at)) = open.last_mut() {
                let (from, to) = (*row, self.next[*row].get(*at).copied());
                *at += 1;
                match to {
                    Some(to) if to >= code.len() => {}
                    Some(to) if is_open[to] => self.back.entry(to).or_default().push(from),
                    Some(to) if !std::mem::replace(&mut is_seen[to], true) => {
                        is_open[to] = true;
                        open.push((to, 0));
                    }
                    Some(_) => {}
                    None => {
                        is_open[from] = false;
                        self.finished[from] = self.order.len();
                        self.order.push(from);
                        open.pop();
                    }
                }
            }
        }
    }

    /// Where two meet.
    fn meet(&mut self, mut one: usize, mut two: usize) -> usize {
        let exit = self.next.len();
        while one != two {
            if self.steps == 0 {
                return exit;
            }
            self.steps -= 1;
            let goes = if self.depths[one] >= self.depths[two] { &mut one } else { &mut two };
            *goes = self.sure.get(*goes).copied().unwrap_or(exit);
        }
        one
    }

    fn find_joins(&mut self, graph: &KismetGraph) {
        let exit = self.next.len();
        // Whether a row ends without meeting anything.
        let mut is_lone = vec![false; exit + 1];
        let back: BTreeSet<(usize, usize)> =
            self.back.iter().flat_map(|(to, all)| all.iter().map(|from| (*from, *to))).collect();
        for at in 0..self.order.len() {
            let row = self.order[at];
            let targets: Vec<(usize, bool)> =
                self.next[row].iter().map(|to| (*to, back.contains(&(row, *to)))).collect();
            let to = |(to, is_back): (usize, bool)| if is_back { exit } else { to };
            let lone = |(to, is_back): &(usize, bool)| {
                !is_back && (*to == exit || is_lone[*to] && self.before[*to].len() < 2)
            };
            let ends: Vec<bool> = targets.iter().map(lone).collect();
            is_lone[row] = ends.iter().all(|ends| *ends);
            let found = match targets[..] {
                [one] => to(one),
                [one, two] => match ends[..] {
                    [true, false] => to(two),
                    [false, true] => to(one),
                    _ => self.meet(to(one), to(two)),
                },
                _ => exit,
            };
            self.sure[row] = found;
            self.depths[row] = self.depths[found] + 1;
            let is_side = targets.iter().any(|(to, _)| *to == found);
            // What one side leads to is no join where the other side ends.
            if targets.len() == 2 && !(is_side && ends.contains(&true)) {
                self.joins[row] = found;
            }
        }
        let heads: Vec<(usize, Vec<usize>)> = std::mem::take(&mut self.back).into_iter().collect();
        for (head, from) in heads {
            let follow = self.follow(head, from, graph);
            self.loops.extend(follow.map(|follow| (head, follow)));
        }
    }

    /// Where a loop leads when it ends; no loop at all where that takes too long to find.
    fn follow(
        &mut self,
        head: usize,
        from: Vec<usize>,
        graph: &KismetGraph,
    ) -> Option<Option<FlowTarget>> {
        let mut members = BTreeSet::from([head]);
        let mut open = from;
        while let Some(row) = open.pop() {
            self.steps = self.steps.checked_sub(1)?;
            if self.finished[row] <= self.finished[head] && members.insert(row) {
                open.extend(&self.before[row]);
            }
        }
        let exit = self.next.len();
        let mut behind: Vec<usize> = members
            .iter()
            .flat_map(|row| &self.next[*row])
            .copied()
            .filter(|to| *to != exit && !members.contains(to))
            .collect();
        behind.sort_unstable();
        behind.dedup();
        let first = behind.first().copied();
        let meet = behind.into_iter().reduce(|one, two| self.meet(one, two));
        let row = meet.filter(|row| *row != exit).or(first);
        let row = row.filter(|row| graph.land(*row) == FlowTarget::Row(*row));
        let pops = || members.iter().any(|row| self.pops[*row]).then_some(FlowTarget::Pop);
        Some(row.map(FlowTarget::Row).or_else(pops))
    }
}

/// Where the latent actions that a statement starts go on.
pub(super) fn resume_places(statement: &ScriptExpression) -> Vec<u32> {
    let mut found = Vec::new();
    let mut open = vec![statement];
    while let Some(whole) = open.pop() {
        if whole.name == "SkipOffsetConst" {
            found.extend(whole.jump());
        }
        open.extend(whole.expressions());
    }
    found
}
