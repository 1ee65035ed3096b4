namespace Gateway.Loadtest.Checks;

/// <summary>Measures for some seconds, beside what else is measured in them.</summary>
internal interface IMeasurement
{
    Task MeasureAsync(double seconds, CancellationToken cancellation);
}
