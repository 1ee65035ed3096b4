using System.Globalization;
using System.Xml.Linq;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Structures;

/// <summary>What the DataTypeDefinitions of the standard's NodeSet say, in the words of <see cref="TypeDictionary"/>:
/// also which fields are optional and which allow subtypes, which the dictionary cannot say.</summary>
internal sealed class NodeSetDefinitions
{
    private const string Structure = "i=22";
    private const string Enumeration = "i=29";

    private readonly Dictionary<string, XElement> _dataTypes;
    private readonly Dictionary<string, string> _aliases;
    private readonly HashSet<string> _encoded;

    public NodeSetDefinitions(string path)
    {
        var root = XDocument.Load(path).Root!;
        _aliases = root.Elements().Single(e => e.Name.LocalName == "Aliases").Elements()
            .ToDictionary(e => (string)e.Attribute("Alias")!, e => e.Value);
        _dataTypes = root.Elements().Where(e => e.Name.LocalName == "UADataType")
            .ToDictionary(e => (string)e.Attribute("NodeId")!);
        _encoded = root.Elements().Where(e => (string?)e.Attribute("BrowseName") == "Default Binary")
            .SelectMany(e => References(e, "HasEncoding", isForward: false)).ToHashSet();
        Structures = _encoded.ToDictionary(NameOf, id => FieldsOf(id).ToArray());
        Enumerations = _dataTypes.Keys.Where(IsEnumeration).ToDictionary(NameOf, ValuesOf);
    }

    /// <summary>Of every DataType with a Default Binary encoding, the fields of its supertypes first.</summary>
    public Dictionary<string, string[]> Structures { get; }

    /// <summary>The first entry is the C# type underneath, the others <c>name = value</c>.</summary>
    public Dictionary<string, string[]> Enumerations { get; }

    private IEnumerable<string> FieldsOf(string id)
    {
        var inherited = SuperTypeOf(id) is { } super && super != Structure ? FieldsOf(super) : [];
        return inherited.Concat(Definition(id).Select(FieldText));
    }

    private string FieldText(XElement field)
    {
        var type = Resolve((string?)field.Attribute("DataType") ?? "i=24");
        var allowsSubtypes = (string?)field.Attribute("AllowSubTypes") == "true";
        var isOptional = (string?)field.Attribute("IsOptional") == "true";
        var array = (string?)field.Attribute("ValueRank") == "1" ? "[]" : "";
        var csharp = allowsSubtypes ? nameof(ExtensionObject) : CSharpType(type);
        return csharp + array + " " + (string)field.Attribute("Name")! +
            (isOptional ? " optional" : "") + (allowsSubtypes ? $" of {NameOf(type)}" : "");
    }

    private string CSharpType(string id) => id switch
    {
        _ when _encoded.Contains(id) || IsEnumeration(id) => NameOf(id),
        "i=10" => nameof(Single),
        "i=15" => "Byte[]",
        Structure => nameof(ExtensionObject),
        Enumeration => nameof(Int32),
        "i=24" or "i=26" or "i=27" or "i=28" => nameof(Variant),
        _ when Number(id) <= (int)BuiltInType.DiagnosticInfo => NameOf(id),
        _ => CSharpType(SuperTypeOf(id)!),
    };

    private string[] ValuesOf(string id)
    {
        var super = SuperTypeOf(id)!;
        var values = Definition(id).Select(f =>
        {
            var value = long.Parse(f.Attribute("Value")!.Value, CultureInfo.InvariantCulture);
            return $"{f.Attribute("Name")!.Value} = {(super == Enumeration ? value : 1L << (int)value)}";
        });
        return [super == Enumeration ? nameof(Int32) : NameOf(super), .. values];
    }

    private bool IsEnumeration(string id) =>
        Definition(id).Any(f => f.Attribute("Value") is not null) && !_encoded.Contains(id);

    private IEnumerable<XElement> Definition(string id) =>
        _dataTypes[id].Elements().FirstOrDefault(e => e.Name.LocalName == "Definition")?.Elements() ?? [];

    private string? SuperTypeOf(string id) =>
        References(_dataTypes[id], "HasSubtype", isForward: false).SingleOrDefault();

    private string NameOf(string id)
    {
        var definition = _dataTypes[id].Elements().FirstOrDefault(e => e.Name.LocalName == "Definition");
        return (string?)definition?.Attribute("SymbolicName") ?? (string)_dataTypes[id].Attribute("BrowseName")!;
    }

    private static int Number(string id) => int.Parse(id[2..], CultureInfo.InvariantCulture);

    private string Resolve(string text) => _aliases.GetValueOrDefault(text, text);

    private IEnumerable<string> References(XElement node, string type, bool isForward) => node.Descendants()
        .Where(e => e.Name.LocalName == "Reference" && (string?)e.Attribute("ReferenceType") == type &&
            ((string?)e.Attribute("IsForward") != "false") == isForward)
        .Select(e => Resolve(e.Value));
}
