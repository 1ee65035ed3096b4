namespace Gateway.Transport.Hosting;

/// <param name="Wheel">Which slot of the wheel, plus one; 0 when in none.</param>
/// <param name="Index">Where in that slot.</param>
internal readonly record struct DeadlineSlot(int Wheel, int Index);
