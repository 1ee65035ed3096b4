namespace Gateway.Interop.OperatorConsole;

/// <summary>The classes that look at one running plant, one after the other.</summary>
[CollectionDefinition(nameof(PlantCollection))]
public sealed class PlantCollection : ICollectionFixture<PlantFixture>;
