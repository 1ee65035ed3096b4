using System.Buffers.Text;
using System.Globalization;
using Gateway.Codec.Pooling;

namespace Gateway.Codec.Json;

/// <summary>Builds one short text in UTF-8: on the stack, or in a rented array if it is long. Owner: the method that
/// made it, which disposes it.</summary>
internal ref struct Utf8Builder(Span<byte> start)
{
    private const int EscapedLength = 3;

    private Span<byte> _span = start;
    private byte[]? _rented;
    private int _length;

    public readonly ReadOnlySpan<byte> Written => _span[.._length];

    public void Append(scoped ReadOnlySpan<byte> text)
    {
        text.CopyTo(Reserve(text.Length));
        _length += text.Length;
    }

    public void Append(scoped JsonText text) => _length += text.CopyTo(Reserve(text.MaximumUtf8Bytes));

    public void Append(uint number)
    {
        number.TryFormat(Reserve(10), out var written, provider: CultureInfo.InvariantCulture);
        _length += written;
    }

    public void Append(Guid guid)
    {
        guid.TryFormat(Reserve(36), out var written);
        _length += written;
    }

    public void AppendBase64(scoped ReadOnlySpan<byte> bytes)
    {
        Base64.EncodeToUtf8(bytes, Reserve(Base64.GetMaxEncodedToUtf8Length(bytes.Length)), out _, out var written);
        _length += written;
    }

    /// <summary>A URI behind <c>nsu=</c>: <c>;</c> becomes %3B and <c>%</c> becomes %25. Source: Part 6 §5.1.12.
    /// </summary>
    public void AppendUri(scoped JsonText uri)
    {
        var target = Reserve(EscapedLength * uri.MaximumUtf8Bytes);
        var read = uri.CopyTo(target);
        var escapes = target[..read].Count((byte)'%') + target[..read].Count((byte)';');
        var write = read + ((EscapedLength - 1) * escapes);
        _length += write;
        while (write > read)
        {
            var one = target[--read];
            if (one is not ((byte)'%' or (byte)';'))
            {
                target[--write] = one;
                continue;
            }

            write -= EscapedLength;
            (one == '%' ? "%25"u8 : "%3B"u8).CopyTo(target[write..]);
        }
    }

    public void Dispose()
    {
        if (_rented is not null)
            ByteArrays.Return(_rented, clear: true);
        this = default;
    }

    private Span<byte> Reserve(int bytes)
    {
        if (_span.Length - _length < bytes)
        {
            var larger = ByteArrays.Rent(Math.Max(_length + bytes, 2 * _span.Length));
            _span[.._length].CopyTo(larger);
            if (_rented is not null)
                ByteArrays.Return(_rented, clear: true);
            _rented = larger;
            _span = larger;
        }

        return _span[_length..];
    }
}
