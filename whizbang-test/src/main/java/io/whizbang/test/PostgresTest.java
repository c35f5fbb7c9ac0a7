package io.whizbang.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class an empty {@link PostgresDatabase} of its own, dropped after its last
 * test. Constructors and methods get it, or its pooled {@link javax.sql.DataSource}, as
 * parameter. With {@code whizbang.test.template=true} it is a copy of a database in which
 * the schema {@code whizbang} is installed already, which saves that time for each class.
 * <p>
 * On a test with an application context, as {@code @SpringBootTest}, the context gets the
 * database instead: as {@code spring.datasource.url} and as a bean to be autowired.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(PostgresExtension.class)
public @interface PostgresTest {

}
