using Gateway.Admission.Explain;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;

namespace Gateway.Admission.Tests.Explain;

/// <summary>What the kept refusals say of another limit, and where they say nothing.</summary>
public sealed class WhatIfTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Theory]
    [InlineData(12_000, 0)]
    [InlineData(12_010, 10)]
    [InlineData(20_000, 30)]
    public void Cap_Raised_GivesItsPlacesOnce(double value, int letIn)
    {
        var answer = Ask("MaxSessions", value, 12_000, Storm(30, RefusalReason.MaxSessions));

        Assert.True(answer.IsKnown);
        Assert.Equal((30, letIn), (answer.Refused, answer.LetIn));
        Assert.Equal(Start.AddSeconds(29), answer.To);
        Assert.Equal(Start, answer.From);
    }

    /// <summary>One refusal a second.</summary>
    [Fact]
    public void Rate_Raised_GivesItsPlacesEachSecond()
    {
        var answer = Ask(
            "MaxConnectionsPerSecond", 5_001, 5_000,
            Storm(30, RefusalReason.ConnectionRate, AdmissionStage.Connection));

        Assert.Equal(30, answer.LetIn);
    }

    [Fact]
    public void CapOfOneAddress_Raised_GivesItsPlacesToEach()
    {
        var storm = Storm(30, RefusalReason.MaxSessionsPerAddress);

        var answer = Ask("MaxSessionsPerAddress", 102, 100, storm);

        // Three addresses, two places each.
        Assert.Equal(6, answer.LetIn);
    }

    [Fact]
    public void Storm_LongAgo_IsAnotherOne()
    {
        List<Refusal> kept =
        [
            .. Storm(2, RefusalReason.MaxSessions, at: Start.AddMinutes(10)), .. Storm(30, RefusalReason.MaxSessions),
        ];

        Assert.Equal(2, Ask("MaxSessions", 20_000, 12_000, kept).Refused);
    }

    [Fact]
    public void OtherLimits_OfTheStorm_DoNotCount() => Assert.Equal(
        0, Ask("MaxConnections", 20_000, 13_000, Storm(5, RefusalReason.MaxSessions)).Refused);

    [Theory]
    [InlineData("MaxSessions", 10_000)]
    [InlineData("MemoryBudgetBytes", 1e12)]
    public void NotRecorded_IsSaid(string limit, double value)
    {
        var answer = Ask(limit, value, 12_000, Storm(5, RefusalReason.MaxSessions));

        Assert.False(answer.IsKnown);
        Assert.NotEmpty(answer.Words);
    }

    [Fact]
    public void Time_IsNotKnown() => Assert.False(
        WhatIf.Of("DoorPatience", 10, TimeSpan.FromSeconds(4), [], isCut: false).IsKnown);

    [Fact]
    public void NothingKept_KnownUnlessCut()
    {
        Assert.True(WhatIf.Of("MaxSessions", 20_000, 12_000, [], isCut: false).IsKnown);
        Assert.False(WhatIf.Of("MaxSessions", 20_000, 12_000, [], isCut: true).IsKnown);
    }

    private static WhatIf Ask(string limit, double value, int inForce, IReadOnlyList<Refusal> kept) =>
        WhatIf.Of(limit, value, inForce, kept, isCut: false);

    /// <summary>One a second, of three addresses, the newest first.</summary>
    private static List<Refusal> Storm(
        int count, RefusalReason reason, AdmissionStage stage = AdmissionStage.CreateSession,
        DateTimeOffset? at = null) =>
    [
        .. Enumerable.Range(0, count).Reverse().Select(i => new Refusal(
            (at ?? Start).AddSeconds(i), stage, reason, StatusCodes.BadTooManySessions, 0, $"10.0.0.{i % 3}", "", null,
            null)),
    ];
}
