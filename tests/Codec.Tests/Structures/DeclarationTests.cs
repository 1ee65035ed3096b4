using System.Globalization;
using System.Reflection;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;
using Xunit.Abstractions;

namespace Gateway.Codec.Tests.Structures;

/// <summary>Holds every declaration against the standard's own files. Where they are not at hand it says so and
/// checks nothing; in CI that is a failure.</summary>
public sealed class DeclarationTests(ITestOutputHelper output)
{
    /// <summary>What 1.05.07 defines and this codec leaves out.</summary>
    private static readonly HashSet<string> LeftOut =
    [
        // The built-in types themselves and the parts of their encodings.
        .. Enum.GetNames<BuiltInType>(), "NodeIdType", "TwoByteNodeId", "FourByteNodeId", "NumericNodeId",
        "StringNodeId", "GuidNodeId", "ByteStringNodeId",

        // Abstract, and without a field of their own.
        "Enumeration", "Union", "Structure",
    ];

    [Fact]
    public void Structures_ComparedWithTheDictionary_HaveItsFieldsInOrder()
    {
        if (!TryLoad(out var dictionary, out var isNew))
            return;
        var ids = StandardFiles.LoadIds();
        var missing = new List<string>();
        foreach (var (name, fields) in dictionary.Structures.Where(s => !LeftOut.Contains(s.Key)))
        {
            if (Find(name) is { } type)
                Assert.Equal(fields, DeclaredFields(type), IgnoreCaseUnless(isNew));
            else if (ids.ContainsKey(name))
                missing.Add(name);
            else
                output.WriteLine($"not declared, for it has no binary encoding id: {name}");
        }

        Assert.Empty(missing);
        Report(SampleStructures.Types.Select(t => t.Name).Except(dictionary.Structures.Keys));
    }

    [Fact]
    public void Enumerations_ComparedWithTheDictionary_HaveItsValues()
    {
        if (!TryLoad(out var dictionary, out var isNew))
            return;
        var missing = new List<string>();
        foreach (var (name, values) in dictionary.Enumerations.Where(e => !LeftOut.Contains(e.Key)))
        {
            if (Find(name) is not { } type)
                missing.Add(name);
            else if (isNew && name != nameof(IdType))
                Assert.Equal(values, DeclaredValues(type));
        }

        Assert.Empty(missing);
        Report(Enumerations().Select(t => t.Name).Except(dictionary.Enumerations.Keys));
    }

    /// <summary>The dictionary leaves out what is newer than it, and cannot say what is optional.</summary>
    [Fact]
    public void Declarations_ComparedWithTheNodeSet_HaveItsDefinitions()
    {
        if (!TryLoad(out var dictionary, out _) || StandardFiles.NodeSet is not { } path)
            return;
        var definitions = new NodeSetDefinitions(path);
        var missing = new List<string>();
        foreach (var (name, fields) in definitions.Structures.Where(s => !LeftOut.Contains(s.Key)))
        {
            if (Find(name) is { } type)
                Assert.Equal([name, .. fields], [name, .. SampleStructures.Fields(type).Select(DefinedField)]);
            else
                missing.Add(name);
        }

        foreach (var (name, values) in definitions.Enumerations.Where(e => e.Key != nameof(IdType)))
        {
            if (Find(name) is { } type)
                Assert.Equal([name, .. values.Where(IsChoice)], [name, .. DeclaredValues(type).Where(IsChoice)]);
            else
                missing.Add(name);
        }

        Assert.Empty(missing);
        var known = definitions.Structures.Keys.Concat(definitions.Enumerations.Keys)
            .Concat(dictionary.Structures.Keys).Concat(dictionary.Enumerations.Keys);
        Assert.Empty(SampleStructures.Types.Concat(Enumerations()).Select(t => t.Name).Except(known));
    }

    [Fact]
    public void StructureIds_ComparedWithTheStandard_AreItsOwn()
    {
        var ids = StandardFiles.LoadIds();
        var unknown = new List<string>();
        foreach (var type in SampleStructures.Types)
        {
            var attribute = type.GetCustomAttribute<StructureAttribute>(inherit: false)!;
            if (ids.TryGetValue(type.Name, out var expected))
                Assert.Equal((type.Name, expected), (type.Name, (attribute.DataTypeId, attribute.BinaryEncodingId)));
            else
                unknown.Add(type.Name);
        }

        Assert.False(IsCi && ids.Count == 0, "Neither NodeIds.csv nor the NodeSet2 file is at hand.");
        output.WriteLine($"ids not compared, no file at hand has them: {string.Join(", ", unknown)}");
        var encodingIds = SampleStructures.Types.Select(t => SampleStructures.Make(t).BinaryEncodingId).ToList();
        Assert.Equal(encodingIds.Count, encodingIds.Distinct().Count());
    }

    private static bool IsCi => Environment.GetEnvironmentVariable("CI") == "true";

    private bool TryLoad(out TypeDictionary dictionary, out bool isNew)
    {
        var path = StandardFiles.NewTypes ?? StandardFiles.OldTypes;
        isNew = StandardFiles.NewTypes is not null;
        dictionary = path is null ? null! : new TypeDictionary(path);
        output.WriteLine(path is null
            ? "SKIPPED: no Opc.Ua.Types.bsd (npm ci in tests/Interop/peers brings it); nothing was compared."
            : $"compared with {path}");
        Assert.False(IsCi && path is null, "CI needs Opc.Ua.Types.bsd: run npm ci in tests/Interop/peers first.");
        return path is not null;
    }

    private void Report(IEnumerable<string> notInDictionary) => output.WriteLine(
        $"declared, not in this dictionary and so not compared: {string.Join(", ", notInDictionary)}");

    private static Type? Find(string name) =>
        SampleStructures.Types.Concat(Enumerations()).SingleOrDefault(t => t.Name == name);

    private static IEnumerable<Type> Enumerations() => typeof(IStructure).Assembly.GetTypes().Where(t =>
        t.IsEnum && (t.Namespace == typeof(IStructure).Namespace || t == typeof(IdType)));

    private static string[] DeclaredFields(Type type) =>
        [.. SampleStructures.Fields(type).Select(p => $"{p.PropertyType.Name} {p.Name}")];

    private static string DefinedField(PropertyInfo field)
    {
        var type = Nullable.GetUnderlyingType(field.PropertyType) ?? field.PropertyType;
        var isOptional = field.GetCustomAttribute<OptionalFieldAttribute>() is not null;
        var allowed = field.GetCustomAttribute<AllowSubtypesAttribute>();
        return $"{type.Name} {field.Name}{(isOptional ? " optional" : "")}" +
            (allowed is null ? "" : $" of {allowed.BaseType.Name}");
    }

    /// <summary>The NodeSet does not list the zero of an OptionSet.</summary>
    private static bool IsChoice(string value) => value != "None = 0";

    private static string[] DeclaredValues(Type type) =>
    [
        type.GetEnumUnderlyingType().Name,
        .. type.GetFields(BindingFlags.Public | BindingFlags.Static)
            .OrderBy(f => f.MetadataToken)
            .Select(f => $"{f.Name} = {Convert.ToInt64(f.GetRawConstantValue(), CultureInfo.InvariantCulture)}"),
    ];

    /// <summary>1.05.04 spells one field otherwise.</summary>
    private static StringComparer IgnoreCaseUnless(bool isNew) =>
        isNew ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase;
}
