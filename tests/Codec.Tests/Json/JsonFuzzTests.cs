using System.Text;
using Gateway.Codec.Json;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>Texts cut and changed at random: no exception, a typed status with a place, bounded memory, and what is
/// accepted is a value.</summary>
public sealed class JsonFuzzTests
{
    private const int Texts = 150;
    private const int MutationsOfEach = 40;
    private const int AllocatedBytes = 64 * 1024;

    private static readonly string[] Pieces =
    [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "-", "1e999", "NaN", "\\ud800", "\\u0000",
        "\"UaType\":", "\"Value\":", "\"Type\":6", "\"Dimensions\":[2]", "22", "24",
        "99999999999999999999", "\u0001", "{}", "[]",
    ];

    [Fact]
    public void Read_CutAtEveryByte_IsADecodingError()
    {
        var random = new RandomValues(1);
        for (var i = 0; i < Texts / 3; i++)
        {
            var text = Encoding.UTF8.GetBytes(JsonOf.Text(Some(i), w => w.WriteVariant(random.Variant())));
            for (var length = 0; length < Math.Min(text.Length, 150); length++)
                Assert.Equal(StatusCodes.BadDecodingError, Run(text.AsSpan(0, length)).Code);
        }
    }

    [Fact]
    public void Read_Mutated_IsATypedOutcome()
    {
        var random = new RandomValues(2);
        var accepted = 0;
        for (var i = 0; i < Texts; i++)
        {
            var text = Encoding.UTF8.GetBytes(JsonOf.Text(Some(i), w => w.WriteVariant(random.Variant())));
            for (var n = 0; n < MutationsOfEach; n++)
                accepted += Run(Mutate(random.Random, text)).IsBad ? 0 : 1;
        }

        Assert.InRange(accepted, 100, Texts * MutationsOfEach / 2);
    }

    [Fact]
    public void Read_RandomPieces_IsATypedOutcome()
    {
        var random = new Random(3);
        var refused = 0;
        for (var i = 0; i < 10_000; i++)
        {
            var text = string.Concat(
                Enumerable.Range(0, random.Next(1, 12)).Select(_ => Pieces[random.Next(Pieces.Length)]));
            refused += Run(Encoding.UTF8.GetBytes(text)).IsBad ? 1 : 0;
        }

        Assert.InRange(refused, 5_000, 10_000);
    }

    private static JsonEncoding Some(int i) => (JsonEncoding)(i % 3);

    private static byte[] Mutate(Random random, byte[] text)
    {
        var at = random.Next(text.Length);
        switch (random.Next(4))
        {
            case 0:
                var changed = text.ToArray();
                changed[at] = (byte)random.Next(256);
                return changed;
            case 1:
                return [.. text[..at], .. Encoding.UTF8.GetBytes(Pieces[random.Next(Pieces.Length)]), .. text[at..]];
            case 2:
                var end = Math.Min(text.Length, at + random.Next(1, 8));
                return [.. text[..at], .. text[end..]];
            default:
                var from = random.Next(text.Length);
                return [.. text[..at], .. text[from..]];
        }
    }

    private static long AllocatedBy(ReadOnlySpan<byte> text, JsonFormat format)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        var reader = new UaJsonReader(text, format);
        reader.ReadVariant();
        reader.End();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static StatusCode Run(ReadOnlySpan<byte> text)
    {
        var format = JsonOf.Format(JsonEncoding.Compact);
        var most = Math.Max(AllocatedBytes, 64L * text.Length);
        var allocated = long.MaxValue;
        // The first reading of a kind makes tables, and one behind a collection finds the pools empty.
        for (var i = 0; i < 4 && allocated > most; i++)
            allocated = Math.Min(allocated, AllocatedBy(text, format));
        var reader = new UaJsonReader(text, format);
        var value = reader.ReadVariant();
        reader.End();
        var shown = Encoding.UTF8.GetString(text);
        Assert.InRange(allocated, 0, most);
        Assert.True(
            reader.Status.Code is StatusCodes.Good or StatusCodes.BadDecodingError
                or StatusCodes.BadEncodingLimitsExceeded or StatusCodes.BadDataTypeIdUnknown,
            $"{reader.Status}: {shown}");
        Assert.Equal(reader.Failed, reader.Problem is not null);
        if (!reader.Failed)
            Assert.NotEmpty(JsonOf.Text(JsonEncoding.Verbose, value));
        return reader.Status;
    }
}
