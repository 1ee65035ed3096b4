using System.Net;
using Gateway.Codec.Structures;
using Gateway.Publish;
using Gateway.Rest.Clients;
using Gateway.Server.Management;
using Gateway.Testing;

namespace Gateway.Rest.Tests.Clients;

/// <summary>One look at all sessions for all who ask within an interval.</summary>
public sealed class SessionGroupsTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly List<SessionReport> _sessions = [];
    private int _looks;

    private SessionGroups Groups => new(static one => one.User, static one => one.CertificateSubject, Read, _time);

    [Fact]
    public async Task Read_ByManyWithinTheInterval_LooksOnce()
    {
        var groups = Groups;
        _sessions.Add(Session("anna"));

        var answers = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => groups.ReadAsync()));
        _sessions.Add(Session("bert"));
        _time.Advance(SessionGroups.Interval - TimeSpan.FromTicks(1));
        var young = await groups.ReadAsync();
        _time.Advance(TimeSpan.FromTicks(1));
        var old = await groups.ReadAsync();

        Assert.All(answers, answer => Assert.Same(answers[0], answer));
        Assert.Same(answers[0], young);
        Assert.Equal(["anna", "bert"], old.Select(static one => one.Key));
        Assert.Equal(2, _looks);
    }

    [Fact]
    public async Task Read_Sessions_AreSummedMostSessionsFirst()
    {
        _sessions.AddRange([Session("bert"), Session("anna", notifications: 3), Session("anna", notifications: 4)]);
        _sessions.Add(Session(null) with { State = SessionPhase.Waiting });

        var groups = await Groups.ReadAsync();

        Assert.Equal(["anna", "", "bert"], groups.Select(static one => one.Key));
        Assert.Equal((2, 7L), (groups[0].Sessions, groups[0].Notifications));
        Assert.Equal(1, groups[1].Waiting);
        Assert.Null(groups[0].NotificationsPerSecond);
    }

    /// <summary>A session that has come or gone meanwhile does not move the rate of the others.</summary>
    [Fact]
    public async Task Rate_OfTheNextLook_IsOfTheSessionsThatStayed()
    {
        var groups = Groups;
        var (stays, goes) = (Session("anna", notifications: 100), Session("anna", notifications: 5_000));
        _sessions.AddRange([stays, goes]);
        await groups.ReadAsync();

        _sessions.Clear();
        _sessions.Add(stays with { Totals = stays.Totals with { Notifications = 180 } });
        _sessions.Add(Session("anna", notifications: 9_000));
        _time.Advance(2 * SessionGroups.Interval);

        var rate = (await groups.ReadAsync())[0].NotificationsPerSecond;
        Assert.Equal(80 / (2 * SessionGroups.Interval.TotalSeconds), rate);
    }

    [Fact]
    public async Task Read_AfterALookThatFailed_LooksAgain()
    {
        var groups = new SessionGroups(
            static one => one.User, static _ => null,
            (from, count, into) => _looks++ == 0 ? throw new InvalidOperationException() : Read(from, count, into),
            _time);

        await Assert.ThrowsAsync<InvalidOperationException>(groups.ReadAsync);

        Assert.Empty(await groups.ReadAsync());
    }

    private int Read(int from, int count, List<SessionReport> into)
    {
        if (from == 0)
            _looks++;
        into.AddRange(_sessions.Skip(from).Take(count));
        return from + count < _sessions.Count ? from + count : -1;
    }

    private static SessionReport Session(string? user, long notifications = 0) => new()
    {
        Id = Guid.NewGuid(),
        Name = "",
        ApplicationName = "",
        ApplicationUri = "",
        State = SessionPhase.Active,
        Door = "opc.tcp",
        RemoteEndPoint = new IPEndPoint(IPAddress.Loopback, 1),
        ChannelId = 1,
        SecurityPolicy = "None",
        SecurityMode = MessageSecurityMode.None,
        Certificate = "",
        User = user,
        Since = default,
        LastActivity = default,
        Timeout = default,
        Totals = new SessionTotals(notifications, 0, 0, 0, 0),
    };
}
