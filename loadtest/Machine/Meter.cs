namespace Gateway.Loadtest.Machine;

/// <summary>Runs from its making until <see cref="Stop"/>, which may be asked more than once.</summary>
internal sealed class Meter(ProcessProbe? server, ProcessProbe driver)
{
    private readonly ProcessSample? _server = server?.Sample();
    private readonly ProcessSample _driver = driver.Sample();

    public double ServerResidentBytes => _server?.ResidentBytes ?? double.NaN;

    public Window Stop()
    {
        var driverTo = driver.Sample();
        return new Window(_server, server?.Sample(), _driver, driverTo);
    }
}
