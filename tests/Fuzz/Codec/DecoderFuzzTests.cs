using System.Buffers.Binary;
using Gateway.Codec.Binary;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Fuzz.Codec;

/// <summary>Every decoder of the registry and of the built-in types, against its own message damaged in every way.
/// </summary>
public sealed class DecoderFuzzTests
{
    /// <summary>More variants of one message than this are thinned out evenly, to keep the run short.</summary>
    private const int MostVariants = 8_000;

    private static readonly int[] Lengths =
        [int.MaxValue, int.MinValue, -2, 1 << 30, 1_000_001, 1_000_000, 65_536, 0];

    [Theory]
    [MemberData(nameof(DecoderCase.Names), MemberType = typeof(DecoderCase))]
    public void Decode_CutAtEveryByte_IsADecodingError(string name)
    {
        var decoder = DecoderCase.Find(name);
        Assert.Equal(StatusCode.Good, decoder.Run(decoder.Message, "whole"));
        var step = Step(decoder.Message.Length);
        for (var length = 0; length < decoder.Message.Length; length += step)
        {
            var status = decoder.Run(decoder.Message.AsSpan(0, length), $"{name} cut at {length}");
            Assert.True(status.Code == StatusCodes.BadDecodingError, $"{name} cut at {length}: {status}");
        }
    }

    [Theory]
    [MemberData(nameof(DecoderCase.Names), MemberType = typeof(DecoderCase))]
    public void Decode_EveryBitFlipped_IsATypedOutcome(string name)
    {
        var decoder = DecoderCase.Find(name);
        var bytes = decoder.Message.ToArray();
        var runs = 0;
        for (var bit = 0; bit < bytes.Length * 8; bit += Step(bytes.Length * 8))
        {
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            decoder.Run(bytes, $"{name} with bit {bit} flipped");
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            runs++;
        }

        Assert.True(runs > 0 || bytes.Length == 0);
    }

    /// <summary>R02: at every offset, so also in every length field of every type.</summary>
    [Theory]
    [MemberData(nameof(DecoderCase.Names), MemberType = typeof(DecoderCase))]
    public void Decode_LengthInEveryPlace_IsATypedOutcome(string name)
    {
        var decoder = DecoderCase.Find(name);
        var step = Step(decoder.Message.Length * Lengths.Length);
        var runs = 0;
        for (var offset = 0; offset + sizeof(int) <= decoder.Message.Length; offset += step)
        {
            foreach (var length in Lengths)
            {
                var bytes = decoder.Message.ToArray();
                BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(offset), length);
                decoder.Run(bytes, $"{name} with {length} at {offset}");
                runs++;
            }
        }

        Assert.True(runs > 0 || decoder.Message.Length < sizeof(int));
    }

    [Theory]
    [MemberData(nameof(DecoderCase.Names), MemberType = typeof(DecoderCase))]
    public void Decode_BytesAroundIt_ReadsOnlyItsOwn(string name)
    {
        var decoder = DecoderCase.Find(name);
        byte[] surrounded = [0xFF, 0xFF, .. decoder.Message, 0xFF, 0xFF, 0xFF];
        var alone = new UaBinaryReader(decoder.Message);
        var among = new UaBinaryReader(surrounded.AsSpan(2));

        var first = decoder.Decode(ref alone);
        var second = decoder.Decode(ref among);

        Assert.Null(StructureEquality.Difference(first, second));
        Assert.Equal(StatusCode.Good, among.Status);
        Assert.Equal((decoder.Message.Length, 3), (among.Position, among.Remaining));
    }

    /// <summary>Several faults at once, the same at every run.</summary>
    [Theory]
    [MemberData(nameof(DecoderCase.Names), MemberType = typeof(DecoderCase))]
    public void Decode_RandomDamage_IsATypedOutcome(string name)
    {
        var decoder = DecoderCase.Find(name);
        var random = new Random(4840);
        var runs = 0;
        for (var run = 0; run < 200; run++)
        {
            var bytes = decoder.Message.ToArray();
            for (var i = 0; i < 1 + (run % 8) && bytes.Length > 0; i++)
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            var cut = random.Next(bytes.Length + 1);
            decoder.Run(bytes.AsSpan(0, run % 2 == 0 ? bytes.Length : cut), $"{name}, random {run}");
            runs++;
        }

        Assert.Equal(200, runs);
    }

    /// <summary>Odd, so that all bits of a byte and all bytes of a field get their turn.</summary>
    private static int Step(int variants) => variants <= MostVariants ? 1 : (variants / MostVariants) | 1;
}
