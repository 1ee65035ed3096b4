using Gateway.Admission.Stages;
using Gateway.Admission.Tests.Support;
using Gateway.Codec.Types;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Door;

public class ConnectionDoorTests
{
    private const string Good = "10.0.0.1";

    private readonly ManualTimeProvider _time = new();

    private AdmissionControl Control(AdmissionLimits? limits = null, bool isEnabled = true, double rate = 100) =>
        new(limits ?? new AdmissionLimits(), _time, isEnabled, rate);

    private static Visitor Arrive(AdmissionControl control, string address)
    {
        var visitor = new Visitor(address);
        control.Door.Arrive(visitor);
        return visitor;
    }

    private static Visitor[] Arrive(AdmissionControl control, string address, int count) =>
        [.. Enumerable.Range(0, count).Select(_ => Arrive(control, address))];

    [Fact]
    public void Arrive_WindowHasRoom_LetIn()
    {
        var control = Control();

        Assert.NotNull(Arrive(control, Good).Pass);
        Assert.Equal(1, control.Stages.Admitted(AdmissionStage.Connection));
        Assert.Equal(1, control.Window.Used);
    }

    [Fact]
    public void Arrive_WindowFull_WaitsUntilAPlaceIsFree()
    {
        var control = Control();
        var first = Arrive(control, Good, control.Window.Size);
        var next = Arrive(control, Good);
        control.Door.Pump();
        Assert.Null(next.Pass);
        Assert.Equal(1, control.Door.Waiting);

        first[0].Pass!.OpenEnded();
        control.Door.Pump();

        Assert.NotNull(next.Pass);
        Assert.Equal(1, control.Stages.Queued(AdmissionStage.Connection));
    }

    [Fact]
    public void Pump_SilentPeersHoldAllPlaces_TheyLapse()
    {
        var control = Control();
        Arrive(control, Good, control.Window.Size);
        var next = Arrive(control, "10.0.0.2");

        _time.Advance(501);
        control.Door.Pump();

        Assert.NotNull(next.Pass);
    }

    [Fact]
    public void Pump_OpensWaitForUs_TheyDoNotLapse()
    {
        var control = Control();
        foreach (var visitor in Arrive(control, Good, control.Window.Size))
            visitor.Pass!.OpenArrived();
        var next = Arrive(control, "10.0.0.2");

        _time.Advance(3000);
        control.Door.Pump();

        Assert.Null(next.Pass);
    }

    [Fact]
    public void Pump_PatienceEnds_RefusedWithAHintEach()
    {
        var control = Control();
        foreach (var visitor in Arrive(control, Good, control.Window.Size))
            visitor.Pass!.OpenArrived();
        var waiting = Arrive(control, "10.0.0.2", 500);

        _time.Advance(4001);
        control.Door.Pump();

        Assert.All(waiting, visitor =>
            Assert.Equal(StatusCodes.BadTcpServerTooBusy, visitor.Refusal!.Value.Status));
        Assert.Equal(500, waiting.Select(visitor => visitor.Refusal!.Value.RetryAfterMs).Distinct().Count());
        Assert.Equal(500, control.Stages.Shedded(AdmissionStage.Connection, RefusalReason.WaitedTooLong));
        Assert.Equal(0, control.Clients.Address(waiting[0].Address).Connections);
    }

    [Fact]
    public void Leave_WhileItWaits_NeitherLetInNorRefused()
    {
        var control = Control();
        foreach (var visitor in Arrive(control, Good, control.Window.Size))
            visitor.Pass!.OpenArrived();
        var gone = Arrive(control, Good);

        Assert.True(control.Door.Leave(gone));
        Assert.False(control.Door.Leave(gone));
        _time.Advance(5000);
        control.Door.Pump();

        Assert.Null(gone.Pass);
        Assert.Null(gone.Refusal);
        Assert.Equal(1, control.Stages.Shedded(AdmissionStage.Connection, RefusalReason.GaveUp));
        Assert.Equal(control.Window.Size, control.Clients.Address(gone.Address).Connections);
    }

    [Fact]
    public void Arrive_TenThousandOfOneAddressAtOnce_AllWait()
    {
        var control = Control();

        var storm = Arrive(control, Good, 10_000);

        Assert.DoesNotContain(storm, visitor => visitor.Refusal is not null);
        Assert.Equal(10_000 - control.Window.Size, control.Door.Waiting);
    }

    [Fact]
    public void Arrive_FloodOfOneAddress_ShedAtItsRateAndOthersAreNot()
    {
        var control = Control(new AdmissionLimits { MaxConnectionsPerSecondPerAddress = 100 });

        var flood = Arrive(control, Good, 1000);
        var other = Arrive(control, "10.0.0.2");

        Assert.Equal(700, flood.Count(visitor => visitor.Refusal?.Reason == RefusalReason.ConnectionRatePerAddress));
        Assert.Equal(700, control.Stages.Shedded(AdmissionStage.Connection, RefusalReason.ConnectionRatePerAddress));
        Assert.All(flood, visitor => Assert.True(visitor.Refusal is null or { RetryAfterMs: > 10 }));
        Assert.Null(other.Refusal);
    }

    [Fact]
    public void Arrive_FloodOfAllAddresses_ShedAtTheRate()
    {
        var control = Control(new AdmissionLimits { MaxConnectionsPerSecond = 100 });

        var flood = Enumerable.Range(0, 400).Select(i => Arrive(control, $"10.0.{i / 200}.{i % 200}")).ToArray();

        Assert.Equal(100, flood.Count(visitor => visitor.Refusal?.Reason == RefusalReason.ConnectionRate));
    }

    [Fact]
    public void Arrive_MoreThanOneAddressMayHold_RefusedAndTheCountHolds()
    {
        var control = Control(new AdmissionLimits { MaxConnectionsPerAddress = 10 });
        var visitors = Arrive(control, Good, 12);

        Assert.Equal(2, visitors.Count(v => v.Refusal?.Reason == RefusalReason.MaxConnectionsPerAddress));
        visitors[0].Pass!.Dispose();
        visitors[0].Pass!.Dispose();

        Assert.Equal(9, control.Clients.Address(visitors[0].Address).Connections);
        Assert.NotNull(Arrive(control, Good).Pass);
        Assert.NotNull(Arrive(control, Good).Refusal);
    }

    [Fact]
    public void Arrive_RoomIsFull_WorstPlacedGivesWayToAnotherAddress()
    {
        var control = Control(new AdmissionLimits { MaxWaitingConnections = 100 });
        foreach (var visitor in Arrive(control, "10.0.0.9", control.Window.Size))
            visitor.Pass!.OpenArrived();
        var abuser = Arrive(control, "10.0.0.2", 101);

        var good = Arrive(control, Good);

        Assert.Null(good.Refusal);
        Assert.Equal(RefusalReason.QueueFull, abuser[100].Refusal!.Value.Reason);
        Assert.Equal(RefusalReason.Displaced, abuser[99].Refusal!.Value.Reason);
        Assert.Equal(100, control.Door.Waiting);
    }

    [Fact]
    public void Pump_OneAddressWithManyAndOneWithOne_TheOneGoesSecond()
    {
        var control = Control();
        var before = Arrive(control, "10.0.0.9", control.Window.Size);
        Arrive(control, "10.0.0.2", 1000);
        var good = Arrive(control, Good);

        before[0].Pass!.OpenEnded();
        before[1].Pass!.OpenEnded();
        control.Door.Pump();

        Assert.NotNull(good.Pass);
    }

    [Fact]
    public void Close_SomeWait_AllToldAndNobodyLetIn()
    {
        var control = Control();
        var storm = Arrive(control, Good, control.Window.Size + 10);

        control.Door.Close();
        var late = Arrive(control, Good);

        Assert.Equal(10, storm.Count(visitor => visitor.Refusal?.Status == StatusCodes.BadShutdown));
        Assert.Equal(RefusalReason.ShuttingDown, late.Refusal!.Value.Reason);
        Assert.Equal(0, late.Refusal!.Value.RetryAfterMs);
        Assert.Equal(control.Window.Size, control.Clients.Address(late.Address).Connections);
    }

    [Fact]
    public void Arrive_SwitchedOff_OnlyTheHardCapActs()
    {
        var control = Control(
            new AdmissionLimits
            {
                MaxConnectionsPerAddress = 500,
                MaxConnectionsPerSecond = 1,
                MaxConnectionsPerSecondPerAddress = 1,
            },
            isEnabled: false);

        var visitors = Arrive(control, Good, 501);

        Assert.Equal(500, visitors.Count(visitor => visitor.Pass is not null));
        Assert.Equal(RefusalReason.MaxConnectionsPerAddress, visitors[500].Refusal!.Value.Reason);
        Assert.Equal(0, visitors[500].Refusal!.Value.RetryAfterMs);
    }
}
