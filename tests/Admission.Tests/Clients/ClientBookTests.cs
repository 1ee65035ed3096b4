using System.Net;
using Gateway.Admission.Clients;
using Gateway.Admission.Tests.Support;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Clients;

public class ClientBookTests
{
    private readonly AdmissionControl _control = new(
        new AdmissionLimits { MaxTrackedClients = 100 }, new ManualTimeProvider(), true, 10_000);

    private ClientPass Enter(int i)
    {
        var visitor = new Visitor($"10.0.{i / 250}.{i % 250}");
        _control.Door.Arrive(visitor);
        return visitor.Pass!;
    }

    private ClientAccount Account(int i) => _control.Clients.Address(IPAddress.Parse($"10.0.{i / 250}.{i % 250}"));

    [Fact]
    public void Address_MoreThanTheLimit_LeastRecentIdleForgotten()
    {
        for (var i = 0; i < 100; i++)
            Account(i).Attempted();
        Account(0).Attempted();

        Account(100).Attempted();

        Assert.Equal(100, _control.Clients.AddressCount);
        Assert.Equal(2, Account(0).Attempts);
        Assert.Equal(1, Account(100).Attempts);
        Assert.Equal(0, Account(1).Attempts);
    }

    [Fact]
    public void Address_WithAConnection_NeverForgotten()
    {
        var pass = Enter(0);
        for (var i = 1; i < 500; i++)
            Account(i);

        Assert.Same(pass.Address, Account(0));
        pass.Dispose();
        for (var i = 1; i < 500; i++)
            Account(i);

        Assert.NotSame(pass.Address, Account(0));
    }

    [Fact]
    public void Address_AllHeld_OthersAreSeenByNobodyElse()
    {
        var passes = Enumerable.Range(0, 100).Select(Enter).ToArray();

        var beyond = Enter(100);
        Assert.Equal(100, _control.Clients.AddressCount);
        Assert.NotSame(beyond.Address, Account(100));
        beyond.Dispose();
        passes[0].Dispose();

        Assert.Same(Account(101), Account(101));
        Assert.Equal(100, _control.Clients.AddressCount);
    }

    [Fact]
    public void Certificate_Forgotten_ItsAddressWeighsLess()
    {
        var pass = Enter(0);
        pass.TryVerify("A0", null);
        var other = Enter(0);
        Assert.Equal(1, other.Address.VerifiedCertificates);
        pass.Dispose();

        for (var i = 0; i < 100; i++)
            _control.Clients.Certificate("B" + i);

        Assert.Equal(0, other.Address.VerifiedCertificates);
        Assert.Equal(1, other.Address.LaneShare.Weight);
    }

    [Fact]
    public void Address_MappedIntoIPv6_IsTheSame() =>
        Assert.Same(
            _control.Clients.Address(IPAddress.Parse("10.1.2.3")),
            _control.Clients.Address(IPAddress.Parse("::ffff:10.1.2.3")));
}
