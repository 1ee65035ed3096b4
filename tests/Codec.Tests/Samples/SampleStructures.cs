using System.Reflection;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Samples;

/// <summary>A filled instance of every declared structure: every field other than its default, every array with two
/// elements, so that a field that is left out or exchanged shows. The same at every call.</summary>
internal sealed class SampleStructures
{
    private readonly HashSet<Type> _open = [];
    private int _next;

    public static IReadOnlyList<Type> Types { get; } =
    [
        .. typeof(IStructure).Assembly.GetTypes()
            .Where(t => t is { IsAbstract: false, IsInterface: false } && typeof(IStructure).IsAssignableFrom(t))
            .OrderBy(t => t.Name, StringComparer.Ordinal),
    ];

    public static IStructure Make(Type type) => (IStructure)new SampleStructures().Structure(type);

    /// <summary>A value for one field.</summary>
    public static object ValueOf(PropertyInfo field) => new SampleStructures().Value(field.PropertyType);

    /// <summary>The fields of a declaration in wire order, those of the base class first.</summary>
    public static IEnumerable<PropertyInfo> Fields(Type type)
    {
        var isDerived = typeof(IStructure).IsAssignableFrom(type.BaseType);
        var inherited = isDerived ? Fields(type.BaseType!) : [];
        return inherited.Concat(type
            .GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
            .Where(p => p.SetMethod is not null)
            .OrderBy(p => p.MetadataToken));
    }

    private object Structure(Type type)
    {
        var structure = Activator.CreateInstance(type)!;
        _open.Add(type);
        foreach (var field in Fields(type).Take(IsUnion(type) ? 1 : int.MaxValue).Where(f => !IsInside(f.PropertyType)))
            field.SetValue(structure, Value(field.PropertyType));
        _open.Remove(type);
        return structure;
    }

    private static bool IsUnion(Type type) =>
        type.GetCustomAttribute<StructureAttribute>(inherit: false)?.StructureType == StructureType.Union;

    /// <summary>A structure inside itself: the field stays null.</summary>
    private bool IsInside(Type type) => _open.Any(type.IsAssignableFrom);

    private object Value(Type type)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        _next++;
        if (type == typeof(byte[]))
            return new byte[] { (byte)_next, 2, 3 };
        if (type.IsArray)
        {
            var array = Array.CreateInstance(type.GetElementType()!, 2);
            array.SetValue(Value(type.GetElementType()!), 0);
            array.SetValue(Value(type.GetElementType()!), 1);
            return array;
        }

        if (type.IsEnum)
            return Enum.ToObject(type, 1 + (_next % 3));
        return typeof(IStructure).IsAssignableFrom(type) ? Structure(type) : BuiltIn(type);
    }

    private object BuiltIn(Type type) => type.Name switch
    {
        nameof(Boolean) => true,
        nameof(SByte) => (sbyte)(_next % 100),
        nameof(Byte) => (byte)_next,
        nameof(Int16) => (short)_next,
        nameof(UInt16) => (ushort)_next,
        nameof(Int32) => _next,
        nameof(UInt32) => (uint)_next,
        nameof(Int64) => (long)_next,
        nameof(UInt64) => (ulong)_next,
        nameof(Single) => _next + 0.5f,
        nameof(Double) => _next + 0.25,
        nameof(String) => $"text {_next}",
        nameof(DateTime) => SampleVariants.Time.AddSeconds(_next),
        nameof(Guid) => new Guid(_next, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
        nameof(XmlElement) => new XmlElement($"<e>{_next}</e>"),
        nameof(NodeId) => NodeId(_next),
        nameof(ExpandedNodeId) => new ExpandedNodeId(new NodeId((uint)_next), $"urn:{_next}", 3),
        nameof(StatusCode) => new StatusCode(0x80000000 | (uint)_next << 16),
        nameof(QualifiedName) => new QualifiedName($"name {_next}", 2),
        nameof(LocalizedText) => new LocalizedText($"text {_next}", "en"),
        nameof(ExtensionObject) => new ExtensionObject(new NodeId((uint)_next, 9), [1, 2, 3, (byte)_next]),
        nameof(DataValue) => new DataValue(
            new Variant(_next), StatusCodes.UncertainInitialValue, SampleVariants.Time, SampleVariants.Time, 1, 2),
        nameof(Variant) => Variant.FromArray(BuiltInType.Double, new[] { 1.5, _next }),
        nameof(DiagnosticInfo) => new DiagnosticInfo
        {
            SymbolicId = _next,
            AdditionalInfo = "info",
            InnerDiagnosticInfo = new DiagnosticInfo { LocalizedText = 1, InnerStatusCode = StatusCodes.BadTimeout },
        },
        _ => throw new NotSupportedException(type.FullName),
    };

    private static NodeId NodeId(int number) => (number % 4) switch
    {
        0 => new NodeId((uint)number),
        1 => new NodeId((uint)number + 100_000, 2),
        2 => new NodeId($"id {number}", 3),
        _ => new NodeId(SampleVariants.Guid, 4),
    };
}
