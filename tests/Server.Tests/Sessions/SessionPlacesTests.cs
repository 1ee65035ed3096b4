using Gateway.Admission.Stages;
using Gateway.Server.Sessions;

namespace Gateway.Server.Tests.Sessions;

public sealed class SessionPlacesTests
{
    [Theory]
    [InlineData("a", "c")]
    [InlineData("a", "")]
    public void TryTake_OneClientTakesAllItCan_TenThousandOfTheDefaultAndTheRestIsOthers(
        string address, string thumbprint)
    {
        var places = new SessionPlaces(ServerLimits.Default);
        Assert.Equal(10_000, Take(places, address, thumbprint, out var refused));
        Assert.Equal(RefusalReason.Reserved, refused);
        var others = 0;
        while (places.TryTake(new SessionPlace($"b{others}", $"d{others}")) == RefusalReason.None)
            others++;
        Assert.Equal((2_000, 12_000), (others, places.Used));
        Assert.Equal(RefusalReason.MaxSessions, places.TryTake(new SessionPlace("e", "f")));
    }

    [Fact]
    public void TryTake_OneCertificateFromManyAddresses_CountsTogether()
    {
        var places = new SessionPlaces(new ServerLimits { MaxSessions = 12 });
        for (var i = 0; i < 10; i++)
            Assert.Equal(RefusalReason.None, places.TryTake(new SessionPlace($"a{i}", "c")));
        Assert.Equal(RefusalReason.Reserved, places.TryTake(new SessionPlace("a10", "c")));
        Assert.Equal(RefusalReason.None, places.TryTake(new SessionPlace("a10", "d")));
    }

    [Fact]
    public void TryTake_HoldsASixth_StillServedFromTheReserve()
    {
        var places = new SessionPlaces(new ServerLimits { MaxSessions = 12 });
        for (var i = 0; i < 10; i++)
            Assert.Equal(RefusalReason.None, places.TryTake(new SessionPlace($"a{i}", "")));
        Assert.Equal(RefusalReason.None, places.TryTake(new SessionPlace("b", "")));
        Assert.Equal(RefusalReason.None, places.TryTake(new SessionPlace("b", "")));
        Assert.Equal(12, places.Used);
    }

    [Theory]
    [InlineData("a", "x", RefusalReason.MaxSessionsPerAddress)]
    [InlineData("x", "c", RefusalReason.MaxSessionsPerCertificate)]
    [InlineData("x", "y", RefusalReason.None)]
    public void TryTake_HolderFull_IsRefusedWithItsReasonUntilReleased(
        string address, string thumbprint, RefusalReason reason)
    {
        var places = new SessionPlaces(
            new ServerLimits { MaxSessionsPerAddress = 2, MaxSessionsPerCertificate = 2 });
        var first = new SessionPlace("a", "c");
        Assert.Equal(RefusalReason.None, places.TryTake(first));
        Assert.Equal(RefusalReason.None, places.TryTake(new SessionPlace("a", "c")));
        Assert.Equal(reason, places.TryTake(new SessionPlace(address, thumbprint)));
        places.Release(first);
        places.Release(first);
        Assert.Equal(RefusalReason.None, places.TryTake(new SessionPlace(address, thumbprint)));
    }

    [Fact]
    public void BeginActivation_SharedUser_GetsNoneOfTheLastSixthAndMayComeAgain()
    {
        var places = new SessionPlaces(new ServerLimits { MaxSessions = 12 });
        List<SessionPlace> taken = [];
        for (var i = 0; i < 12; i++)
        {
            taken.Add(new SessionPlace($"a{i}", $"c{i}"));
            Assert.Equal(RefusalReason.None, places.TryTake(taken[i]));
            var reason = places.BeginActivation(taken[i], "anna", out var isCounted);
            Assert.Equal(i < 10 ? RefusalReason.None : RefusalReason.Reserved, reason);
            Assert.Equal(i < 10, isCounted);
            if (isCounted)
                places.EndActivation(taken[i], "anna", true);
        }

        // Whoever is active may activate again, at any cap.
        Assert.Equal(RefusalReason.None, places.BeginActivation(taken[0], "anna", out var again));
        Assert.False(again);
        Assert.Equal(RefusalReason.None, places.BeginActivation(taken[11], "bert", out _));
    }

    [Fact]
    public void TryTakeOver_OwnPlaceInTheReserve_GoesOverWithoutGrowth()
    {
        var places = new SessionPlaces(new ServerLimits { MaxSessions = 12 });
        List<SessionPlace> own = [];
        for (var i = 0; i < 9; i++)
        {
            own.Add(new SessionPlace("a", ""));
            Assert.Equal(RefusalReason.None, places.TryTake(own[i]));
        }

        for (var i = 0; i < 3; i++)
            Assert.Equal(RefusalReason.None, places.TryTake(new SessionPlace($"b{i}", "")));
        var late = new SessionPlace("a", "");
        Assert.Equal(RefusalReason.Reserved, places.TryTake(late));
        Assert.True(places.TryTakeOver(own[0], late));
        Assert.False(places.TryTakeOver(own[0], new SessionPlace("a", "")));
        Assert.Equal((12, 9), (places.Used, places.HeldBy(late)));
    }

    /// <summary>Whatever the order of taking, taking over, activating and releasing: the sums are those of the places
    /// that are held, no cap is exceeded, and all is empty in the end.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void AnyOrder_SumsAreExact(int seed)
    {
        var random = new Random(seed);
        var limits = new ServerLimits
        {
            MaxSessions = 30,
            MaxSessionsPerAddress = 20,
            MaxSessionsPerCertificate = 18,
            MaxSessionsPerUser = 15,
        };
        var places = new SessionPlaces(limits);
        List<SessionPlace> held = [];
        for (var i = 0; i < 20_000; i++)
        {
            var place = new SessionPlace($"a{random.Next(3)}", random.Next(4) == 0 ? "" : $"c{random.Next(3)}");
            switch (random.Next(4))
            {
                case 0 or 1:
                    if (places.TryTake(place) == RefusalReason.None)
                        held.Add(place);
                    else if (held.Count > 0 && places.TryTakeOver(held[0], place))
                    {
                        held.RemoveAt(0);
                        held.Add(place);
                    }

                    break;
                case 2 when held.Count > 0:
                    var user = $"u{random.Next(3)}";
                    var chosen = held[random.Next(held.Count)];
                    if (places.BeginActivation(chosen, user, out var isCounted) == RefusalReason.None && isCounted)
                        places.EndActivation(chosen, user, random.Next(3) > 0);
                    break;
                case 3 when held.Count > 0:
                    var gone = held[random.Next(held.Count)];
                    held.Remove(gone);
                    places.Release(gone);
                    break;
            }

            AssertExact(places, held, limits);
        }

        held.ForEach(places.Release);
        Assert.Equal((0, 0), (places.Used, places.Holders));
    }

    private static void AssertExact(SessionPlaces places, List<SessionPlace> held, ServerLimits limits)
    {
        Assert.Equal(held.Count, places.Used);
        Assert.InRange(held.Count, 0, limits.MaxSessions);
        foreach (var place in held)
        {
            var count = held.Count(other => place.Certificate.Length > 0
                ? other.Certificate == place.Certificate
                : other.Address == place.Address);
            Assert.Equal(count, places.HeldBy(place));
        }

        Assert.All(held.GroupBy(place => place.Address), g => Assert.InRange(g.Count(), 1, 20));
        Assert.All(
            held.Where(place => place.User is not null).GroupBy(place => place.User),
            g => Assert.InRange(g.Count(), 1, 15));
        var holders = held.Select(place => place.Address).Distinct().Count()
            + held.Select(place => place.Certificate).Where(key => key.Length > 0).Distinct().Count()
            + held.Select(place => place.User).Where(key => key is not null).Distinct().Count();
        Assert.Equal(holders, places.Holders);
    }

    private static int Take(SessionPlaces places, string address, string thumbprint, out RefusalReason refused)
    {
        for (var count = 0; ; count++)
        {
            refused = places.TryTake(new SessionPlace(address, thumbprint));
            if (refused != RefusalReason.None)
                return count;
        }
    }
}
