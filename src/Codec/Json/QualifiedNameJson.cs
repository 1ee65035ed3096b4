using System.Globalization;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>QualifiedName: a string <c>[nsu=uri;|index:]name</c>; deprecated: an object <c>Name, Uri</c>. A URI that
/// the table does not have stays in the name. Source: Part 6 §5.4.2.14, §H.5.</summary>
internal static class QualifiedNameJson
{
    private const int UsualLength = 256;

    private static readonly byte[][] Members = ["Name"u8.ToArray(), "Uri"u8.ToArray()];

    public static void Write(UaJsonWriter writer, ushort index, scoped JsonText name)
    {
        if (name.IsNullOrEmpty)
        {
            writer.WriteNull();
            return;
        }

        if (writer.Format.IsDeprecated)
        {
            WriteObject(writer, index, name);
            return;
        }

        using var text = new Utf8Builder(stackalloc byte[UsualLength]);
        text.Append(name);
        if (index == 0 && !HasPrefix(text.Written))
        {
            name.WriteTo(writer);
            return;
        }

        using var whole = new Utf8Builder(stackalloc byte[UsualLength]);
        var prefix = index == 0 ? default : writer.Format.Uris.NamespacePrefix(index);
        if (prefix.IsEmpty)
        {
            whole.Append((uint)index);
            whole.Append(":"u8);
        }
        else
        {
            whole.Append(prefix);
        }

        whole.Append(text.Written);
        new JsonText(whole.Written).WriteTo(writer);
    }

    public static QualifiedName Read(ref UaJsonReader reader)
    {
        if (reader.IsNull)
            return default;
        if (reader.IsStartObject)
            return ReadObject(ref reader);
        if (!reader.TryReadText("a QualifiedName", out var text) || text.Length == 0)
            return default;
        if (QualifiedNameText.TryParse(text, out var value))
            return value;
        ReadOnlySpan<char> rest = text;
        if (!NamespaceUriText.TryTakePrefix(ref rest, out var uri) ||
            !reader.Uris.TryFindNamespace(uri!, out var index))
            return new QualifiedName(text);
        return new QualifiedName(rest.ToString(), index);
    }

    private static void WriteObject(UaJsonWriter writer, ushort index, scoped JsonText name)
    {
        var json = writer.Json;
        writer.StartObject();
        json.WritePropertyName(JsonNames.Name);
        name.WriteTo(writer);
        if (index != 0)
        {
            json.WritePropertyName(JsonNames.Uri);
            var uri = writer.Format.Uris.Namespace(index);
            if (writer.Format.Encoding == JsonEncoding.NonReversible && !uri.IsEmpty)
                new JsonText(uri).WriteTo(writer);
            else
                json.WriteNumberValue((uint)index);
        }

        writer.EndObject();
    }

    private static QualifiedName ReadObject(ref UaJsonReader reader)
    {
        string? name = null;
        ushort index = 0;
        var seen = 0UL;
        while (reader.NextMember(Members, ref seen, out var member))
        {
            if (member == 0)
                name = reader.ReadString();
            else if (reader.IsNumber)
                index = reader.ReadUInt16();
            else if (reader.ReadString() is not { } uri || !reader.Uris.TryFindNamespace(uri, out index))
                reader.Expected("a Uri that this server has");
        }

        return new QualifiedName(name, index);
    }

    /// <summary>A name of namespace 0 that would be read as one with a prefix.</summary>
    private static bool HasPrefix(ReadOnlySpan<byte> name) =>
        name.StartsWith("nsu="u8) ||
        (name.IndexOf((byte)':') is > 0 and var colon &&
            ushort.TryParse(name[..colon], NumberStyles.None, CultureInfo.InvariantCulture, out _));
}
