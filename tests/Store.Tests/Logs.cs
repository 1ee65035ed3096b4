using System.Collections.Concurrent;
using System.Text;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Store.Tests;

/// <summary>Small logs whose disk a test steps, and what tests do with all logs.</summary>
internal static class Logs
{
    public static readonly StoreOptions Small = new()
    {
        Directory = "memory",
        SegmentBytes = 64 * 1024,
        MemoryBytes = 1024 * 1024,
        MaxBytes = 2 * 1024 * 1024,
        MaxRecordBytes = 256 * 1024,
        MaxDrainBytesPerSecond = long.MaxValue / 2,
    };

    /// <summary>A seeded Random takes milliseconds for a large one, and tests ask for the same ones again and again.
    /// </summary>
    private static readonly ConcurrentDictionary<(long Number, int Bytes), byte[]> Payloads = new();

    /// <param name="rent">Null: there is memory.</param>
    public static StoreLog Stepped(
        MemoryFiles files, StoreOptions? options = null, TimeProvider? time = null, Func<int, byte[]>? rent = null)
    {
        var its = options ?? Small;
        Assert.Empty(its.Validate("Store"));
        return new StoreLog(
            files, its, time ?? new ManualTimeProvider(), NullLogger.Instance, isStepped: true, rent);
    }

    /// <summary>A payload of this size that says its number and cannot be mistaken for another.</summary>
    public static byte[] Payload(long number, int bytes = 100) =>
        Payloads.GetOrAdd((number, bytes), static one => Make(one.Number, one.Bytes));

    /// <summary>Records of ascending numbers, each with a payload of its own sequence number.</summary>
    public static long Append(this StoreLog log, int count, int bytes = 100, ushort writer = 7)
    {
        var last = 0L;
        for (var i = 0; i < count; i++)
            Assert.True(log.TryAppendNext(out last, bytes, writer));
        return last;
    }

    public static void AppendAndTurn(this StoreLog log, int count, int bytes = 60)
    {
        log.Append(count, bytes);
        log.Turn();
    }

    public static bool TryAppendNext(this StoreLog log, out long sequence, int bytes = 100, ushort writer = 7) =>
        log.TryAppend(writer, 3, Encoding.UTF8.GetBytes("a/b/ü"), Payload(writer, bytes), out sequence);

    /// <summary>All records that there are now, in the order in which they came. The disk takes turns.</summary>
    public static List<long> ReadAll(this StoreLog log, bool acknowledges = true)
    {
        List<long> sequences = [];
        for (var idle = 0; idle < 8;)
        {
            if (!log.TryRead(out var message))
            {
                log.Turn();
                idle++;
                continue;
            }

            idle = 0;
            Check(message);
            sequences.Add(message.Sequence);
            if (acknowledges)
                Assert.True(log.Acknowledge(message.Sequence));
        }

        return sequences;
    }

    public static void Check(in StoredMessage message)
    {
        Assert.Equal(3, message.Kind);
        Assert.Equal("a/b/ü", Encoding.UTF8.GetString(message.Topic.Span));
        Assert.True(message.Payload.Span.SequenceEqual(Payload(message.Writer, message.Payload.Length)));
    }

    public static List<long> Numbers(long from, long to) =>
        [.. Enumerable.Range((int)from, (int)(to - from + 1)).Select(number => (long)number)];

    private static byte[] Make(long number, int bytes)
    {
        var payload = new byte[bytes];
        new Random((int)number).NextBytes(payload);
        BitConverter.TryWriteBytes(payload, number);
        return payload;
    }
}
