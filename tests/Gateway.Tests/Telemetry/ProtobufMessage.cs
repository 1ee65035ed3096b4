using System.Buffers.Binary;
using System.Text;

namespace Gateway.Tests.Telemetry;

/// <summary>One protobuf message as its fields, by number. Source: protobuf.dev, Encoding.</summary>
internal sealed class ProtobufMessage
{
    private readonly List<(int Number, ulong Bits, byte[]? Bytes)> _fields = [];

    private ProtobufMessage()
    {
    }

    public static ProtobufMessage Read(ReadOnlySpan<byte> bytes)
    {
        var message = new ProtobufMessage();
        while (!bytes.IsEmpty)
        {
            var tag = Varint(ref bytes);
            message.ReadField((int)(tag >> 3), (int)(tag & 7), ref bytes);
        }

        return message;
    }

    public IEnumerable<ProtobufMessage> Messages(int number) =>
        _fields.Where(field => field.Number == number).Select(field => Read(field.Bytes));

    public ProtobufMessage? Message(int number) => Messages(number).FirstOrDefault();

    public bool Has(int number) => _fields.Any(field => field.Number == number);

    public string Text(int number) => Encoding.UTF8.GetString(Bytes(number));

    public string Hex(int number) => Convert.ToHexStringLower(Bytes(number));

    public ulong Number(int number) => _fields.FirstOrDefault(field => field.Number == number).Bits;

    private byte[] Bytes(int number) => _fields.FirstOrDefault(field => field.Number == number).Bytes ?? [];

    private void ReadField(int number, int wireType, ref ReadOnlySpan<byte> bytes)
    {
        switch (wireType)
        {
            case 0:
                _fields.Add((number, Varint(ref bytes), null));
                break;
            case 1:
                _fields.Add((number, BinaryPrimitives.ReadUInt64LittleEndian(bytes), null));
                bytes = bytes[8..];
                break;
            case 2:
                var length = (int)Varint(ref bytes);
                _fields.Add((number, 0, bytes[..length].ToArray()));
                bytes = bytes[length..];
                break;
            case 5:
                _fields.Add((number, BinaryPrimitives.ReadUInt32LittleEndian(bytes), null));
                bytes = bytes[4..];
                break;
            default:
                throw new InvalidDataException($"wire type {wireType}");
        }
    }

    private static ulong Varint(ref ReadOnlySpan<byte> bytes)
    {
        var value = 0ul;
        for (var shift = 0; ; shift += 7)
        {
            var part = bytes[0];
            bytes = bytes[1..];
            value |= (ulong)(part & 0x7F) << shift;
            if (part < 0x80)
                return value;
        }
    }
}
