package draftosaurus

import "slices"

// Zoo is who stands where in a seat's zoo, by pen. In the pyramid dinosaurs are by slot, None where
// it is free; in the well-ordered wood from left to right; elsewhere in the order of the species.
// A pen with nobody in it is empty.
type Zoo [penEnd][]Species

// Counts returns how many of each species are in the zoo, the river included (D19).
func (z *Zoo) Counts() [speciesEnd]int {
	var counts [speciesEnd]int
	for _, inside := range z {
		for _, species := range inside {
			counts[species]++
		}
	}
	counts[None] = 0
	return counts
}

// Count returns how many of the species are in the zoo, the river included (D19).
func (z *Zoo) Count(species Species) int { return z.Counts()[species] }

// Size returns how many dinosaurs stand in the pen.
func (z *Zoo) Size(pen Pen) int {
	size := 0
	for _, species := range z[pen] {
		if species != None {
			size++
		}
	}
	return size
}

// Plus returns the zoo after a placement that the pen allows.
func (z *Zoo) Plus(place Placement) Zoo {
	after := *z
	inside := z[place.Pen]
	if place.Pen == Pyramid {
		slots := make([]Species, pyramidSlots)
		copy(slots, inside)
		slots[place.Slot] = place.Species
		after[Pyramid] = slots
		return after
	}
	at := len(inside)
	if place.Pen != WellOrderedWood {
		for at > 0 && inside[at-1] > place.Species {
			at--
		}
	}
	after[place.Pen] = slices.Insert(slices.Clone(inside), at, place.Species)
	return after
}

// Moved returns the zoo after the dinosaur in quarantine moved (D25); to Quarantine: it stays.
func (z *Zoo) Moved(move Placement) Zoo {
	if move.Pen == Quarantine {
		return *z
	}
	after := z.Plus(move)
	after[Quarantine] = nil
	return after
}

// Takes tells whether the pen's own rules let the dinosaur in.
func (z *Zoo) Takes(place Placement, rules Rules) bool {
	species, pen, slot := place.Species, place.Pen, place.Slot
	inside := z[pen]
	if pen == Pyramid {
		return z.pyramidTakes(species, slot)
	}
	holds := plots[pen].holds
	if pen == PrairieOfLove && rules.PrairieCapacity > 0 { // A3
		holds = rules.PrairieCapacity
	}
	if slot != 0 || len(inside) >= holds {
		return false
	}
	switch pen {
	case ForestOfSameness:
		return len(inside) == 0 || inside[0] == species
	case MeadowOfDifferences:
		return !slices.Contains(inside, species)
	case WellOrderedWood:
		if len(inside) < 2 {
			return !slices.Contains(inside, species)
		}
		return inside[len(inside)-2] == species
	}
	return true
}

func (z *Zoo) pyramidTakes(species Species, slot int) bool {
	inside := z[Pyramid]
	if len(inside) == 0 {
		return slices.Contains(pyramidRows[0], slot)
	}
	free := func(slot int) bool { return inside[slot] == None }
	for _, row := range pyramidRows { // D21: the lowest row that is not full is the open one
		if slices.ContainsFunc(row, free) {
			touches := func(other int) bool { return inside[other] == species }
			return slices.Contains(row, slot) && free(slot) &&
				!slices.ContainsFunc(pyramidTouches[slot], touches)
		}
	}
	return false
}

// Allows tells whether the face of the die lets a seat that it binds use the pen.
func (z *Zoo) Allows(pen Pen, die Face) bool {
	switch {
	case pen == River || die == NoFace:
		return true
	case die == EmptyPen:
		return z.Size(pen) == 0
	case die == NoTRex:
		return !slices.Contains(z[pen], TRex)
	}
	return plots[pen].section == die || plots[pen].side == die
}

// Placements returns where dinosaurs of these species may go: pen by pen, the river last, within a
// pen by slot, then by species. With NoFace only the pens' own rules count.
func (z *Zoo) Placements(board Board, species []Species, die Face, rules Rules) []Placement {
	var places []Placement
	for _, pen := range board.Pens() {
		if !z.Allows(pen, die) {
			continue
		}
		slots := 1
		if pen == Pyramid {
			slots = pyramidSlots
		}
		for slot := range slots {
			for each := TRex; each < speciesEnd; each++ {
				place := Placement{each, pen, slot}
				if slices.Contains(species, each) && z.Takes(place, rules) {
					places = append(places, place)
				}
			}
		}
	}
	return places
}
