using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Sources.Health;
using Gateway.Testing;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.Tests;

public sealed class SourceDriversTests
{
    private readonly List<string> _told = [];
    private readonly SourceDriverContext _context;

    public SourceDriversTests()
    {
        var time = new ManualTimeProvider();
        _context = new SourceDriverContext(
            new NodeTable(), new ValueStore(time), time, NullLoggerFactory.Instance);
    }

    [Fact]
    public async Task Life_TwoDrivers_InTheOrderOfTheirRegistrationAndEndedInTheOpposite()
    {
        var drivers = new SourceDrivers([Of("A"), Of("B")], _context);
        drivers.Prepare();
        drivers.Start();
        await drivers.DisposeAsync();

        Assert.Equal(
            ["A is made", "B is made", "A prepares", "B prepares", "A starts", "B starts", "B ends", "A ends"], _told);
    }

    [Fact]
    public void FixedNamespaces_IndexesInTheOrderOfTheRegistration_BeforeAnyNode()
    {
        _ = new SourceDrivers(
            [Of("A") with { FixedNamespaces = ["urn:a"] }, Of("B") with { FixedNamespaces = ["urn:b"] }], _context);

        Assert.Equal("urn:a", _context.Nodes.Namespaces.GetUri(1));
        Assert.Equal("urn:b", _context.Nodes.Namespaces.GetUri(2));
    }

    [Fact]
    public void Report_ByName_OfThatDriverAlone()
    {
        var drivers = new SourceDrivers([Of("A"), Of("B")], _context);

        Assert.Equal("B", Assert.Single(drivers.Report("B")).Name);
        Assert.Empty(drivers.Report("C"));
    }

    [Theory]
    [InlineData(SourceState.Online, HealthStatus.Healthy)]
    [InlineData(SourceState.Limited, HealthStatus.Degraded)]
    [InlineData(SourceState.Connecting, HealthStatus.Degraded)]
    [InlineData(SourceState.Away, HealthStatus.Unhealthy)]
    [InlineData(SourceState.Faulted, HealthStatus.Unhealthy)]
    public async Task HealthCheck_OfADriver_IsItsSourcesState(SourceState state, HealthStatus expected)
    {
        await using var drivers = new SourceDrivers(
            [Of("A"), new SourceDriverRegistration("B", _ => new ToldDriver("B", _told, state))], _context);

        var result = await new SourceHealthCheck(drivers, "B").CheckHealthAsync(new HealthCheckContext());

        Assert.Equal(expected, result.Status);
        Assert.Equal(SourceStateNames.Of(state), result.Data["B"]);
        Assert.Equal(expected == HealthStatus.Healthy ? null : $"B: {SourceStateNames.Of(state)}", result.Description);
    }

    [Fact]
    public void Make_NameRegisteredTwice_Thrown() =>
        Assert.Throws<ArgumentException>(() => new SourceDrivers([Of("A"), Of("A")], _context));

    private SourceDriverRegistration Of(string name) => new(name, _ => new ToldDriver(name, _told));

    private sealed class ToldDriver : ISourceDriver
    {
        private readonly string _name;
        private readonly List<string> _told;
        private readonly SourceState _state;

        public ToldDriver(string name, List<string> told, SourceState state = SourceState.Online)
        {
            (_name, _told, _state) = (name, told, state);
            _told.Add($"{name} is made");
        }

        public void Prepare() => _told.Add($"{_name} prepares");

        public void Start() => _told.Add($"{_name} starts");

        public IReadOnlyList<SourceReport> Report() =>
            [new() { Name = _name, State = _state, Since = DateTimeOffset.UnixEpoch }];

        public ValueTask DisposeAsync()
        {
            _told.Add($"{_name} ends");
            return default;
        }
    }
}
