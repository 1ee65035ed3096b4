using Gateway.Rest.Sockets;
using Gateway.Testing;

namespace Gateway.Rest.Tests.Sockets;

/// <summary>Frames in the bytes of a stream, however these are cut.</summary>
public sealed class FrameMeterTests
{
    private readonly ManualTimeProvider _time = new();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(125)]
    [InlineData(126)]
    [InlineData(65_535)]
    [InlineData(65_536)]
    public void Add_DataAndPings_OnlyThoseWithoutDataCount(int payload)
    {
        var meter = new FrameMeter(perSecond: 1, _time);
        byte[] three = [.. Frame(0x81, payload), .. Frame(0x89, 4), .. Frame(0x82, payload), .. Frame(0x8A, 0)];

        AddByteByByte(meter, three);

        Assert.Equal(payload == 0 ? SocketEnd.ControlFrames : SocketEnd.None, meter.End);
    }

    /// <summary>Three at once, then one a second.</summary>
    [Fact]
    public void Add_PingsAtTheirRate_NoFlood()
    {
        var meter = new FrameMeter(perSecond: 1, _time);
        meter.Add([.. Frame(0x89, 0), .. Frame(0x89, 0), .. Frame(0x89, 0)]);
        for (var i = 0; i < 100; i++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            meter.Add(Frame(0x89, 0));
        }

        Assert.Equal(SocketEnd.None, meter.End);
        meter.Add(Frame(0x89, 0));
        Assert.Equal(SocketEnd.ControlFrames, meter.End);
    }

    [Fact]
    public void Add_FrameWithoutAMask_Malformed()
    {
        var meter = new FrameMeter(perSecond: 1, _time);

        meter.Add([0x81, 0x01, (byte)'x']);

        Assert.Equal(SocketEnd.Malformed, meter.End);
    }

    private static void AddByteByByte(FrameMeter meter, byte[] bytes)
    {
        for (var i = 0; i < bytes.Length; i++)
            meter.Add(bytes.AsSpan(i, 1));
    }

    private static byte[] Frame(byte first, int payload)
    {
        byte[] length = payload switch
        {
            < 126 => [(byte)(0x80 | payload)],
            <= ushort.MaxValue => [0x80 | 126, (byte)(payload >> 8), (byte)payload],
            _ =>
            [
                0x80 | 127, 0, 0, 0, 0, (byte)(payload >> 24), (byte)(payload >> 16), (byte)(payload >> 8),
                (byte)payload,
            ],
        };
        return [first, .. length, 1, 2, 3, 4, .. new byte[payload]];
    }
}
