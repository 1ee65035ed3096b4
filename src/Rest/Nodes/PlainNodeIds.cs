using System.Buffers.Text;
using System.Text;
using System.Text.Unicode;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Rest.Nodes;

/// <summary>Reads the usual node ids of a list straight from their UTF-8: <c>nsu=uri;i=1</c>, <c>ns=2;s=x</c>, of a
/// namespace that is here. Many in a row have one namespace, which is looked up once. Any other form is not for it.
/// </summary>
internal ref struct PlainNodeIds(NamespaceTable namespaces)
{
    private const int MaxUriChars = 512;

    private ReadOnlySpan<byte> _prefix;
    private ushort _index;

    /// <summary>False: another form, or no node id.</summary>
    public bool TryRead(ReadOnlySpan<byte> text, out NodeId id)
    {
        id = default;
        var end = text.IndexOf((byte)';');
        if (end < 0 || end + 3 >= text.Length || text[end + 2] != '=')
            return false;
        var prefix = text[..end];
        if (_prefix.IsEmpty || !prefix.SequenceEqual(_prefix))
        {
            if (!TryFind(prefix, out _index))
            {
                _prefix = default;
                return false;
            }

            _prefix = prefix;
        }

        return TryReadIdentifier(text[end + 1], text[(end + 3)..], out id);
    }

    private readonly bool TryReadIdentifier(byte kind, ReadOnlySpan<byte> identifier, out NodeId id)
    {
        id = default;
        switch (kind)
        {
            case (byte)'i':
                if (!char.IsAsciiDigit((char)identifier[0]) ||
                    !Utf8Parser.TryParse(identifier, out uint number, out var used) || used != identifier.Length)
                    return false;
                id = new NodeId(number, _index);
                return true;
            case (byte)'s' when Utf8.IsValid(identifier) && !identifier.Contains((byte)0):
                id = new NodeId(Encoding.UTF8.GetString(identifier), _index);
                return true;
            default:
                return false;
        }
    }

    /// <summary><c>nsu=uri</c> without anything escaped, or <c>ns=2</c>.</summary>
    private readonly bool TryFind(ReadOnlySpan<byte> prefix, out ushort index)
    {
        index = 0;
        if (prefix.StartsWith("ns="u8))
            return char.IsAsciiDigit((char)prefix[^1]) && char.IsAsciiDigit((char)prefix[3]) &&
                Utf8Parser.TryParse(prefix[3..], out index, out var used) && used == prefix.Length - 3;
        if (!prefix.StartsWith("nsu="u8) || prefix.Contains((byte)'%'))
            return false;
        var uri = prefix[4..];
        Span<char> chars = stackalloc char[MaxUriChars];
        return uri.Length <= MaxUriChars && Encoding.UTF8.TryGetChars(uri, chars, out var count) &&
            namespaces.TryGetIndex(chars[..count], out index);
    }
}
