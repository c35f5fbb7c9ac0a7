package io.whizbang.process;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Makes the wall clock of a process wrong, for all classes of Whizbang, of the driver,
 * the pool and Spring that are loaded afterwards. The monotonic clock goes on.
 */
public final class ShiftedClock implements ClassFileTransformer {

	private static final String SHIFT = "io.whizbang.process.shift";

	private static final String SELF = "io/whizbang/process/ShiftedClock";

	private static final List<String> SHIFTED = List.of("io/whizbang/", "org/postgresql/", "com/zaxxer/",
			"org/springframework/jdbc/", "org/springframework/transaction/", "org/springframework/scheduling/");

	private ShiftedClock() {
	}

	static void install(Duration shift) throws ReflectiveOperationException {
		System.setProperty(SHIFT, String.valueOf(shift.toMillis()));
		// By name: its annotations are not there for the compiler.
		Object instrumentation = Class.forName("net.bytebuddy.agent.ByteBuddyAgent").getMethod("install").invoke(null);
		((Instrumentation) instrumentation).addTransformer(new ShiftedClock());
	}

	public static long millis() {
		return clock().millis();
	}

	public static Clock clock() {
		return shifted(Clock.systemDefaultZone());
	}

	public static Clock clock(ZoneId zone) {
		return shifted(Clock.system(zone));
	}

	public static Clock shifted(Clock clock) {
		return Clock.offset(clock, Duration.ofMillis(Long.parseLong(System.getProperty(SHIFT))));
	}

	@Override
	public byte @Nullable [] transform(@Nullable ClassLoader loader, String name, @Nullable Class<?> redefined,
			@Nullable ProtectionDomain domain, byte[] code) {
		if (name.equals(SELF) || SHIFTED.stream().noneMatch(name::startsWith)) {
			return null;
		}
		ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
		new ClassReader(code).accept(new Classes(writer), 0);
		return writer.toByteArray();
	}

	private static boolean asks(String owner, String name, String type) {
		boolean givenClock = type.startsWith("(Ljava/time/Clock;");
		return switch (owner) {
			case "java/lang/System" -> name.equals("currentTimeMillis");
			case "java/util/Date" -> name.equals("<init>") && type.equals("()V");
			case "java/time/Clock" -> (name.startsWith("system") || name.startsWith("tick")) && !givenClock;
			default -> owner.startsWith("java/time/") && name.equals("now") && !givenClock;
		};
	}

	/**
	 * Replaces calls in all methods of a class. What a method reference names becomes a
	 * method of the class that has the call.
	 */
	private static final class Classes extends ClassVisitor {

		private final List<Handle> references = new ArrayList<>();

		private String self = "";

		private boolean isInterface;

		Classes(ClassVisitor target) {
			super(SpringAsmInfo.ASM_VERSION, target);
		}

		@Override
		public void visit(int version, int access, String name, @Nullable String signature, @Nullable String parent,
				String @Nullable [] interfaces) {
			this.self = name;
			this.isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
			super.visit(version, access, name, signature, parent, interfaces);
		}

		@Override
		public MethodVisitor visitMethod(int access, String method, String type, @Nullable String signature,
				String @Nullable [] exceptions) {
			return new Calls(super.visitMethod(access, method, type, signature, exceptions), this::replaced);
		}

		private Object replaced(Object constant) {
			if (!(constant instanceof Handle handle) || !asks(handle.getOwner(), handle.getName(), handle.getDesc())) {
				return constant;
			}
			this.references.add(handle);
			return new Handle(Opcodes.H_INVOKESTATIC, this.self, "shifted$" + this.references.size(),
					typeOf(handle).getDescriptor(), this.isInterface);
		}

		private static boolean creates(Handle handle) {
			return handle.getTag() == Opcodes.H_NEWINVOKESPECIAL;
		}

		private static Type typeOf(Handle handle) {
			return creates(handle) ? Type.getMethodType(Type.getObjectType(handle.getOwner()))
					: Type.getMethodType(handle.getDesc());
		}

		@Override
		public void visitEnd() {
			int number = 0;
			for (Handle handle : this.references) {
				write("shifted$" + ++number, handle);
			}
			super.visitEnd();
		}

		private void write(String name, Handle handle) {
			Type type = typeOf(handle);
			MethodVisitor method = visitMethod(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC, name,
					type.getDescriptor(), null, null);
			method.visitCode();
			if (creates(handle)) {
				method.visitTypeInsn(Opcodes.NEW, handle.getOwner());
				method.visitInsn(Opcodes.DUP);
			}
			// Nobody is asked for the time with more than a zone.
			for (int argument = 0; argument < type.getArgumentTypes().length; argument++) {
				method.visitVarInsn(Opcodes.ALOAD, argument);
			}
			method.visitMethodInsn(creates(handle) ? Opcodes.INVOKESPECIAL : Opcodes.INVOKESTATIC, handle.getOwner(),
					handle.getName(), handle.getDesc(), handle.isInterface());
			method.visitInsn(type.getReturnType().getOpcode(Opcodes.IRETURN));
			method.visitMaxs(0, 0);
			method.visitEnd();
		}

	}

	/** Replaces calls that ask for the time, and references to such calls. */
	private static final class Calls extends MethodVisitor {

		private final UnaryOperator<Object> references;

		Calls(MethodVisitor target, UnaryOperator<Object> references) {
			super(SpringAsmInfo.ASM_VERSION, target);
			this.references = references;
		}

		@Override
		public void visitInvokeDynamicInsn(String name, String type, Handle bootstrap, Object... arguments) {
			super.visitInvokeDynamicInsn(name, type, bootstrap,
					Arrays.stream(arguments).map(this.references).toArray());
		}

		@Override
		public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
			if (!asks(owner, name, type)) {
				super.visitMethodInsn(opcode, owner, name, type, isInterface);
			}
			else if (owner.equals("java/lang/System")) {
				super.visitMethodInsn(opcode, SELF, "millis", type, false);
			}
			else if (owner.equals("java/util/Date")) {
				super.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, "millis", "()J", false);
				super.visitMethodInsn(opcode, owner, name, "(J)V", false);
			}
			else if (owner.equals("java/time/Clock")) {
				super.visitMethodInsn(opcode, owner, name, type, isInterface);
				super.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, "shifted", "(Ljava/time/Clock;)Ljava/time/Clock;",
						false);
			}
			else {
				String arguments = type.substring(0, type.indexOf(')') + 1);
				super.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, "clock", arguments + "Ljava/time/Clock;", false);
				super.visitMethodInsn(opcode, owner, name, type.replace(arguments, "(Ljava/time/Clock;)"), isInterface);
			}
		}

	}

}
