//! Names that people give to columns.

/// How telling a name is; lower is more telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Telling {
    /// One of the usual names, by its rank.
    Exactly(usize),
    /// A usual name is among its words.
    Partly(usize),
}

/// Most telling first, in lower case.
pub(crate) const TIMESTAMPS: [&str; 16] = [
    "timestamp",
    "ds",
    "datetime",
    "date_time",
    "date",
    "time",
    "day",
    "week",
    "month",
    "period",
    "ts",
    "datum",
    "fecha",
    "quarter",
    "year",
    "fiscal_year",
];
/// Words that suggest timestamps in names of several words.
const TIMESTAMP_WORDS: [&str; 11] =
    ["timestamp", "datetime", "date", "time", "day", "week", "month", "period", "quarter", "wk", "dt"];
pub(crate) const TARGETS: [&str; 23] = [
    "target",
    "y",
    "value",
    "values",
    "sales",
    "demand",
    "quantity",
    "qty",
    "units",
    "amount",
    "revenue",
    "volume",
    "consumption",
    "load",
    "count",
    "orders",
    "visits",
    "calls",
    "passengers",
    "trips",
    "bookings",
    "traffic",
    "usage",
];
const TARGET_WORDS: [&str; 48] = [
    "target",
    "value",
    "sales",
    "sold",
    "demand",
    "quantity",
    "qty",
    "units",
    "amount",
    "revenue",
    "volume",
    "consumption",
    "load",
    "orders",
    "visits",
    "visitors",
    "calls",
    "tickets",
    "passengers",
    "trips",
    "bookings",
    "signups",
    "registrations",
    "transactions",
    "arrivals",
    "production",
    "output",
    "traffic",
    "usage",
    "income",
    "turnover",
    "profit",
    "ebitda",
    "cost",
    "costs",
    "expenses",
    "balance",
    "headcount",
    "umsatz",
    "umsätze",
    "absatz",
    "stückzahl",
    "menge",
    "nachfrage",
    "verbrauch",
    "ventes",
    "ventas",
    "demande",
];
/// Words in the names of drivers of a target, rather than of targets.
const DRIVER_WORDS: [&str; 30] = [
    "price",
    "preis",
    "prix",
    "discount",
    "rebate",
    "promo",
    "promotion",
    "campaign",
    "aktion",
    "spend",
    "spending",
    "marketing",
    "advertising",
    "stock",
    "inventory",
    "staff",
    "temperature",
    "temperatur",
    "temp",
    "humidity",
    "wind",
    "rain",
    "rainfall",
    "precipitation",
    "snow",
    "sunshine",
    "weather",
    "holiday",
    "holidays",
    "rate",
];
pub(crate) const ITEM_IDS: [&str; 18] = [
    "item_id",
    "unique_id",
    "series_id",
    "id",
    "series",
    "item",
    "sku",
    "product_id",
    "product",
    "store_id",
    "store",
    "sensor_id",
    "sensor",
    "customer_id",
    "location",
    "region",
    "category",
    "name",
];
const ITEM_WORDS: [&str; 18] = [
    "series",
    "item",
    "sku",
    "product",
    "article",
    "store",
    "shop",
    "branch",
    "sensor",
    "meter",
    "machine",
    "customer",
    "location",
    "region",
    "country",
    "category",
    "dept",
    "department",
];
/// Words in the names of identifiers, rather than of amounts.
const LABEL_WORDS: [&str; 16] = [
    "id", "ids", "nr", "no", "nbr", "num", "number", "code", "key", "zip", "postcode", "index", "year",
    "month", "weekday", "row",
];

impl Telling {
    pub(crate) fn of_timestamp(name: &str) -> Option<Telling> {
        telling(name, &TIMESTAMPS, &TIMESTAMP_WORDS)
    }

    pub(crate) fn of_target(name: &str) -> Option<Telling> {
        telling(name, &TARGETS, &TARGET_WORDS)
    }

    pub(crate) fn of_item_id(name: &str) -> Option<Telling> {
        telling(name, &ITEM_IDS, &ITEM_WORDS)
    }

    pub(crate) fn is_exact(self) -> bool {
        matches!(self, Telling::Exactly(_))
    }
}

/// Whether a numeric column of this name is likely to drive a target: `unit price`, `ad_spend`, `wind_speed`.
pub(crate) fn is_driver(name: &str) -> bool {
    words(name).iter().any(|word| DRIVER_WORDS.contains(&word.as_str()))
}

/// Whether a numeric column of this name is likely to be an identifier: `store_nbr`, `zip code`.
pub(crate) fn is_label(name: &str) -> bool {
    words(name).iter().any(|word| LABEL_WORDS.contains(&word.as_str()))
}

fn telling(name: &str, whole: &[&str], single: &[&str]) -> Option<Telling> {
    let words = words(name);
    let joined = words.join("_");
    if let Some(place) = whole.iter().position(|known| *known == joined) {
        return Some(Telling::Exactly(place));
    }
    let place = single.iter().position(|known| words.iter().any(|word| word == known));
    place.map(Telling::Partly)
}

/// The words of a name in lower case: `orderDate`, `Order Date` and `order_date` give the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        let begins = !character.is_alphanumeric() || (was_lower && character.is_uppercase());
        if begins && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        was_lower = character.is_lowercase() || character.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_by_their_words() {
        for name in ["orderDate", "Order Date", "order_date", "ORDER-DATE"] {
            assert_eq!(Telling::of_timestamp(name), Some(Telling::Partly(2)), "{name}");
        }
        assert_eq!(Telling::of_timestamp("Date"), Some(Telling::Exactly(4)));
        assert_eq!(Telling::of_timestamp("updates"), None);
        assert_eq!(Telling::of_item_id("Store_Nbr"), Some(Telling::Partly(5)));
        assert!(is_label("Store_Nbr") && is_label("zip") && !is_label("numbers") && !is_label("sales"));
        assert_eq!(Telling::of_target(""), None);
        assert!(
            is_driver("adSpend") && is_driver("unit_price") && !is_driver("pricey") && !is_driver("units")
        );
    }
}
