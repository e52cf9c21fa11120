/** Statements that change and list what a database records of its migrations. */
export const recordedMigrations = {
  record: (name: string) => `insert into mikro_orm_migrations (name) values ('${name}')`,
  forget: (name: string) => `delete from mikro_orm_migrations where name = '${name}'`,
  list: 'select name from mikro_orm_migrations order by name',
};
