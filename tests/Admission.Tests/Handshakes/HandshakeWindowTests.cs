using Gateway.Admission.Tests.Support;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Handshakes;

public class HandshakeWindowTests
{
    private readonly AdmissionControl _control = new(new AdmissionLimits(), new ManualTimeProvider(), true, 1_000);

    [Fact]
    public void Used_StrangersWaitBehindKnownOnes_TheyHardlyCount()
    {
        _control.Known.MarkActive("K", new DateOnly(2026, 1, 1));
        for (var i = 0; i < 1_000; i++)
        {
            var pass = Open($"10.2.{i / 250}.{i % 250}", "K");
            Assert.True(pass.Pass!.TryVerify("K", "CN=known"));
            pass.Pass.Dispose();
        }

        for (var i = 0; i < 200; i++)
            Open($"10.1.0.{i}", "S" + i);

        Assert.InRange(_control.Window.Used, 0, 20);
    }

    [Fact]
    public void Used_OnlyStrangersAreServed_EachCounts()
    {
        for (var i = 0; i < 200; i++)
            Open($"10.1.0.{i}", "S" + i);

        Assert.Equal(200, _control.Window.Used);
    }

    [Fact]
    public void Used_StrangerLeaves_NothingIsLeft()
    {
        var stranger = Open("10.1.0.1", "S");
        stranger.Pass!.Dispose();

        Assert.Equal(0, _control.Window.Used);
    }

    private Visitor Open(string address, string thumbprint)
    {
        var visitor = new Visitor(address);
        _control.Door.Arrive(visitor);
        visitor.Pass!.OpenArrived();
        visitor.Pass.Claim(thumbprint);
        return visitor;
    }
}
