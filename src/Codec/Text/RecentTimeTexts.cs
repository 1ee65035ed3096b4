using System.Buffers.Text;

namespace Gateway.Codec.Text;

/// <summary>The JSON text of the last two times that differ: the values of one message mostly share their times, and a
/// time costs as much to write as a number. Owner: its writer.</summary>
internal sealed class RecentTimeTexts
{
    /// <summary>Quotation marks included: <c>"yyyy-MM-ddThh:mm:ss.fffffffZ"</c>.</summary>
    private const int MaxTextBytes = 30;

    private Text _last = new();
    private Text _other = new();

    /// <summary>Without trailing zeros of the second. Valid until the next call.</summary>
    public ReadOnlySpan<byte> TextOf(DateTime utc)
    {
        if (_last.Ticks == utc.Ticks)
            return _last.Written;
        (_last, _other) = (_other, _last);
        if (_last.Ticks != utc.Ticks)
            _last.Write(utc);
        return _last.Written;
    }

    private sealed class Text
    {
        private readonly byte[] _bytes = new byte[MaxTextBytes];
        private int _length;

        public long Ticks { get; private set; } = -1;

        public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

        public void Write(DateTime utc)
        {
            _bytes[0] = (byte)'"';
            Utf8Formatter.TryFormat(utc, _bytes.AsSpan(1), out var written, 'O');
            var text = _bytes.AsSpan(1, written - 1).TrimEnd((byte)'0').TrimEnd((byte)'.');
            _length = 1 + text.Length;
            _bytes[_length++] = (byte)'Z';
            _bytes[_length++] = (byte)'"';
            Ticks = utc.Ticks;
        }
    }
}
