/** The closed lists of the sender's fields. Spec: Sender; the lists of businesses are published. Open point OP-5. */

export const SENDER_TYPES = ['person', 'business'] as const;

/** Driving license, international passport, national ID, other. */
export const IDENTIFICATION_TYPES = ['DL', 'PP', 'ID', 'OT'] as const;

export const GENDERS = ['M', 'F', 'O'] as const;

export const LEGAL_ENTITY_TYPES = [
  'sole_proprietorship',
  'partnership',
  'privately_owned_company',
  'publicly_owned_company',
  'government_owned_entity',
  'trust',
  'ngo',
  'club_and_society',
  'go',
  'other',
  'financial_institution',
  'mto',
] as const;

export const NATURES_OF_BUSINESS = [
  'personal',
  'agriculture_and_hunting',
  'forestry',
  'fishing',
  'agricultural_by_products',
  'coal_mining',
  'oil_mining',
  'iron_ore_mining',
  'other_metal_and_diamond_mining',
  'other_mineral_mining',
  'manufacturing_of_food_drink_tobacco',
  'manufacturing_of_textiles_leather_fur_furniture',
  'manufacture_of_wooden_products_furniture',
  'manufacture_of_paper_pulp_allied_products',
  'manufacture_of_chemicals_medical_petroleum_rubber_plastic_products',
  'manufacture_of_pottery_china_glass_stone',
  'manufacture_of_iron_steel_non_ferrous_metals_basic_industries',
  'manufacture_of_metal_products_electrical_and_scientific_engineering',
  'manufacture_of_jewelry_musical_instruments_toys',
  'electricity_gas_and_water',
  'construction',
  'wholesale_trade',
  'retail_trade',
  'catering_incl_hotels',
  'transport_storage',
  'communications',
  'finance_and_holding_companies',
  'insurance',
  'business_services',
  'real_estate_development_investment',
  'central_state_governments',
  'community_services_defence_police_prisons_etc',
  'social_services_education_health_care',
  'personal_services_leisure_services',
  'personal_services_domestic_laundry_repairs',
  'personal_services_embassies_international_organisations',
] as const;
