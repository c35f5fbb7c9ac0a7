create table flyway_customers (id int);
