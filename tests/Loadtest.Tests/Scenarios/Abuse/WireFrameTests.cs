using System.Buffers.Binary;
using System.Text;
using Gateway.Codec.Types;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Tests.Scenarios.Abuse;

public sealed class WireFrameTests
{
    [Fact]
    public void Refusal_Err_StatusAndReasonWithoutTheHintsNumber()
    {
        var frame = new WireFrame(Err(StatusCodes.BadTcpServerTooBusy, "RetryAfterMs=1234"));

        Assert.Equal("BadTcpServerTooBusy RetryAfterMs=n", frame.Refusal());
    }

    [Fact]
    public void Refusal_EndAndOtherFrames_Named()
    {
        Assert.Equal("(closed)", new WireFrame([]).Refusal());
        Assert.Equal("ACK", new WireFrame(WireTarget.Acknowledge()).Refusal());
        Assert.True(new WireFrame([]).IsEnd);
    }

    [Fact]
    public void RecordedOpening_WithAnotherCertificate_LengthAndRestFit()
    {
        var sealedPart = new byte[] { 7, 8, 9 };
        var open = Open("policy", [1, 2, 3, 4], sealedPart);

        var changed = new RecordedOpening(open).With([5, 6]);

        Assert.Equal(Open("policy", [5, 6], sealedPart), changed);
    }

    private static byte[] Open(string policy, byte[] certificate, byte[] rest)
    {
        byte[] bytes =
        [
            .. "OPNF"u8, 0, 0, 0, 0, 0, 0, 0, 0, .. Little(policy.Length), .. Encoding.UTF8.GetBytes(policy),
            .. Little(certificate.Length), .. certificate, .. rest,
        ];
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), bytes.Length);
        return bytes;
    }

    private static byte[] Err(uint status, string reason)
    {
        byte[] bytes = [.. "ERRF"u8, 0, 0, 0, 0, .. Little((int)status), .. Little(reason.Length),
            .. Encoding.UTF8.GetBytes(reason)];
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), bytes.Length);
        return bytes;
    }

    private static byte[] Little(int value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, value);
        return bytes;
    }
}
