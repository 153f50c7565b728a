//! Documents that are damaged.

use serde_json::{Value, json};

/// A row of numbers that is the same every time.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Any value in the document, deep ones as likely as others.
fn any<'a>(value: &'a mut Value, numbers: &mut Numbers) -> &'a mut Value {
    let children = match &*value {
        Value::Array(values) => values.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    };
    if children == 0 || numbers.below(12) == 0 {
        return value;
    }
    let at = numbers.below(children);
    let child = match value {
        Value::Array(values) => &mut values[at],
        Value::Object(map) => map.values_mut().nth(at).unwrap(),
        _ => unreachable!(),
    };
    any(child, numbers)
}

/// Changes something of a document.
pub fn damage(document: &mut Value, numbers: &mut Numbers) {
    let other = any(document, numbers).clone();
    let place = any(document, numbers);
    match numbers.below(9) {
        0 => *place = Value::Null,
        1 => {
            *place = [json!(0), json!(1), json!(-1), json!(i64::MAX), json!(u64::MAX)]
                [numbers.below(5)]
            .clone()
        }
        2 => *place = json!(["", "None", "Nobody", "/Script/Engine.Thing"][numbers.below(4)]),
        3 => *place = json!({ "$array": vec![json!(0); numbers.below(300)] }),
        4 => *place = (0..100).fold(json!(0), |inner, _| json!([inner])),
        5 => *place = json!({ "$choice": numbers.below(400) }),
        6 => *place = other,
        _ => match place {
            Value::Array(values) if !values.is_empty() => {
                let at = numbers.below(values.len());
                let value = values.remove(at);
                if numbers.below(2) == 0 {
                    values.extend([value.clone(), value]);
                }
            }
            Value::Object(map) if !map.is_empty() => {
                let key = map.keys().nth(numbers.below(map.len())).cloned().unwrap();
                map.shift_remove(&key);
            }
            Value::Number(number) => {
                *place = json!(number.as_i64().unwrap_or(0) ^ 1 << numbers.below(40))
            }
            _ => *place = json!(1.5),
        },
    }
}
