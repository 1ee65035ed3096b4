using System.Xml.Linq;

namespace Gateway.Codec.Tests.Structures;

/// <summary>What an <c>Opc.Ua.Types.bsd</c> says: fields in wire order without the length fields, each with its C#
/// type name, and enumerations with their width and values.</summary>
internal sealed class TypeDictionary
{
    private static readonly XNamespace Schema = "http://opcfoundation.org/BinarySchema/";

    private static readonly Dictionary<string, string> Primitives = new()
    {
        ["CharArray"] = nameof(String),
        ["Float"] = nameof(Single),
        ["ByteString"] = "Byte[]",
    };

    public TypeDictionary(string path)
    {
        var root = XDocument.Load(path).Root!;
        Structures = root.Elements(Schema + "StructuredType").ToDictionary(Name, Fields);
        Enumerations = root.Elements(Schema + "EnumeratedType").ToDictionary(Name, Values);
    }

    public Dictionary<string, string[]> Structures { get; }

    /// <summary>The first entry is the C# type underneath, the others <c>name = value</c>.</summary>
    public Dictionary<string, string[]> Enumerations { get; }

    private static string Name(XElement element) => (string)element.Attribute("Name")!;

    private static string[] Fields(XElement structure)
    {
        var fields = structure.Elements(Schema + "Field").ToList();
        var lengths = fields.Select(f => (string?)f.Attribute("LengthField")).ToHashSet();
        return
        [
            .. fields.Where(f => !lengths.Contains(Name(f)))
                .Select(f => $"{CSharpType(f)}{(f.Attribute("LengthField") is null ? "" : "[]")} {Name(f)}"),
        ];
    }

    private static string CSharpType(XElement field)
    {
        var name = ((string)field.Attribute("TypeName")!).Split(':')[1];
        return Primitives.GetValueOrDefault(name, name);
    }

    private static string[] Values(XElement enumeration)
    {
        var isOptionSet = (string?)enumeration.Attribute("IsOptionSet") == "true";
        var underlying = ((string)enumeration.Attribute("LengthInBits")!, isOptionSet) switch
        {
            ("8", _) => nameof(Byte),
            ("16", _) => nameof(UInt16),
            (_, true) => nameof(UInt32),
            _ => nameof(Int32),
        };
        var values = enumeration.Elements(Schema + "EnumeratedValue");
        return [underlying, .. values.Select(v => $"{Name(v)} = {(string)v.Attribute("Value")!}")];
    }
}
