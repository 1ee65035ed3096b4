using Gateway.Admission.Clients;
using Gateway.Admission.Tests.Support;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Clients;

public class ClientPassTests
{
    private static readonly string Owner = new('A', 40);
    private static readonly string Other = new('B', 40);

    private readonly ManualTimeProvider _time = new();
    private readonly AdmissionControl _control;

    public ClientPassTests()
    {
        _control = new AdmissionControl(
            new AdmissionLimits { MaxConnectionsPerCertificate = 3, MaxClaimsPerCertificate = 4 }, _time, true, 2000);
        _control.Known.MarkActive(Owner, new DateOnly(2026, 1, 1));
    }

    private ClientPass Enter(string address = "10.0.0.1")
    {
        var visitor = new Visitor(address);
        _control.Door.Arrive(visitor);
        return visitor.Pass!;
    }

    [Fact]
    public void Claim_ActiveBefore_KnownAndItsShareIsUsed()
    {
        var pass = Enter();

        Assert.True(pass.Claim(Owner));
        Assert.NotNull(pass.LaneShare);
        Assert.False(Enter().Claim(Other));
        Assert.Null(pass.Certificate);
    }

    [Fact]
    public void Claim_StrangeCertificates_LeaveNoAccounts()
    {
        for (var i = 0; i < 1000; i++)
            Enter($"10.0.{i / 250}.{i % 250}").Claim("C" + i);

        Assert.Equal(0, _control.Clients.CertificateCount);
    }

    [Fact]
    public void Claim_TooManyUnverified_OnlyWhereItWasVerifiedLastAreMoreBelieved()
    {
        Assert.True(Enter("10.0.0.7").TryVerify(Owner, "CN=owner"));
        for (var i = 0; i < 4; i++)
            Assert.True(Enter($"10.0.1.{i}").Claim(Owner));

        Assert.False(Enter("10.0.1.9").Claim(Owner));
        Assert.True(Enter("10.0.0.7").Claim(Owner));
        Assert.Equal(5, _control.Clients.Certificate(Owner).Claims);
    }

    [Fact]
    public void Lied_AddressPaysAndIsAStrangerForAMinute_OwnerIsNot()
    {
        var liar = Enter("10.0.0.66");
        liar.Claim(Owner);
        var share = liar.LaneShare!;
        share.Charge(0);

        liar.Lied();

        Assert.Equal(0, share.Finish);
        Assert.Equal(AdmissionControl.PriceOfLie, liar.Address.LaneShare.Finish);
        Assert.Equal(0, _control.Clients.Certificate(Owner).Claims);
        Assert.Equal(0, _control.Clients.Certificate(Owner).FalseClaims);
        Assert.Equal(1, liar.Address.FalseClaims);
        Assert.False(Enter("10.0.0.66").Claim(Owner));
        Assert.True(Enter("10.0.0.1").Claim(Owner));
        _time.Advance(60_001);
        Assert.True(Enter("10.0.0.66").Claim(Owner));
    }

    [Fact]
    public void Lied_BehindALoadBalancer_OthersAreBelievedSoon()
    {
        for (var i = 0; i < 100; i++)
            Assert.True(Enter().TryVerify("D" + i, null));
        Enter().Lied();

        _time.Advance(601);

        Assert.True(Enter().Claim(Owner));
    }

    [Fact]
    public void TryVerify_MoreChannelsThanOneCertificateMay_RefusedAndTheCountHolds()
    {
        var passes = Enumerable.Range(0, 4).Select(_ => Enter()).ToArray();

        Assert.Equal([true, true, true, false], passes.Select(pass => pass.TryVerify(Owner, "CN=owner")));
        Assert.True(passes[0].TryVerify(Owner, "CN=owner"));
        Assert.Equal(3, _control.Clients.Certificate(Owner).Connections);
        passes[0].Dispose();
        Assert.True(passes[3].TryVerify(Owner, "CN=owner"));
    }

    [Fact]
    public void TryVerify_DistinctCertificates_TheAddressWeighsByThem()
    {
        var address = Enter().Address;
        for (var i = 0; i < 5; i++)
            Enter().TryVerify("D" + (i % 3), null);
        Assert.Equal(3, address.VerifiedCertificates);
        Assert.Equal(3, address.LaneShare.Weight);

        Enter("10.0.0.2").TryVerify("D0", null);

        Assert.Equal(2, address.VerifiedCertificates);
        Assert.Equal("10.0.0.2", _control.Clients.Certificate("D0").Address);
    }

    [Fact]
    public void Dispose_BeforeTheEndOfAHandshake_WhatComesAfterLeavesNothing()
    {
        var pass = Enter();
        pass.Claim(Owner);
        pass.OpenArrived();

        pass.Dispose();
        pass.OpenArrived();
        pass.Claim(Owner);
        pass.TryVerify(Owner, "CN=owner");
        pass.Dispose();

        var certificate = _control.Clients.Certificate(Owner);
        Assert.Equal(0, certificate.Claims);
        Assert.Equal(0, certificate.Connections);
        Assert.Equal(0, certificate.Holds);
        Assert.Equal(0, pass.Address.Connections);
        Assert.Equal(0, pass.Address.Holds);
        Assert.Equal(0, _control.Window.Used);
        Assert.Null(pass.Certificate);
    }

    [Fact]
    public async Task Dispose_WhileVerifying_NothingIsLeftInAnyOrder()
    {
        for (var i = 0; i < 2000; i++)
        {
            _time.Advance(10);
            var pass = Enter();
            pass.OpenArrived();
            pass.Claim(Owner);
            var verified = Task.Run(() => pass.TryVerify(Owner, "CN=owner"));
            pass.Dispose();
            await verified;
        }

        var certificate = _control.Clients.Certificate(Owner);
        Assert.Equal((0, 0, 0), (certificate.Claims, certificate.Connections, certificate.Holds));
        Assert.Equal(0, _control.Window.Used);
    }

    [Fact]
    public void Activated_Verified_IsKnownFromThenOn()
    {
        var pass = Enter();
        pass.TryVerify(Other, "CN=other");
        Assert.False(_control.Known.IsKnown(Other));

        pass.Activated();

        Assert.True(_control.Known.IsKnown(Other));
    }

    [Fact]
    public void Claim_SwitchedOff_NobodyIsKnownAndNoShareIsUsed()
    {
        var control = new AdmissionControl(new AdmissionLimits(), _time, false, 200);
        control.Known.MarkActive(Owner, new DateOnly(2026, 1, 1));
        var visitor = new Visitor("10.0.0.1");
        control.Door.Arrive(visitor);

        Assert.False(visitor.Pass!.Claim(Owner));
        Assert.True(visitor.Pass.TryVerify(Owner, "CN=owner"));
        Assert.Null(visitor.Pass.LaneShare);
    }

    [Fact]
    public void Pass_OneConnection_AtMostTwoHundredBytes()
    {
        var visitors = new Queue<Visitor>();
        for (var i = 0; i < 10_000; i++)
            visitors.Enqueue(new Visitor("10.0.0.1"));

        var bytes = Allocations.OfThousand(() =>
        {
            var visitor = visitors.Dequeue();
            _control.Door.Arrive(visitor);
            visitor.Pass!.OpenArrived();
            visitor.Pass.TryVerify(Owner, "CN=owner");
            visitor.Pass.Dispose();
        });

        Assert.InRange(bytes / 1000, 0, 200);
    }
}
